import type { Page } from "@playwright/test";
import { call, inviteLink, write } from "../../fixtures/api.ts";
import { createToken } from "../../../contract/operations/accounts.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, dialog, rail, send, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("chat", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "Delivery spec: https://northlight.example/spec.pdf");
  await write(ben, project.id, "and a second line\nunder it");
  await write(ana, project.id, "thanks");
  const page = await open(ana, `/projects/${project.id}/chat`, CALM);
  await expect(page.getByText("thanks")).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await expectAccessible(page);
  await expectReadable(page);
});

test("chat without messages, and with one too long to send", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`, CALM);
  await expect(page.getByText("No messages yet")).toBeVisible();
  await composer(page).fill("x".repeat(10_002));
  await expect(page.getByText("2 characters too long")).toBeVisible();
  await expectAccessible(page);
});

test("chat with a message that was refused", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(answered(400));
  const page = await open(ana, `/projects/${project.id}/chat`, CALM);
  await page.route("**/v1/account/projects/chat_message", (route) =>
    route.fulfill({ status: 400, json: { object: "error", status: 400, title: "No", detail: "not today" } }),
  );
  await send(page, "refused");
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await expectAccessible(page);
});

const SETTINGS: [path: string, ready: (page: Page) => Promise<void>][] = [
  ["profile", (page) => expect(page.getByRole("button", { name: "Change password" })).toBeVisible()],
  ["members", (page) => expect(page.getByRole("combobox").first()).toBeVisible()],
  ["tokens", (page) => expect(page.getByRole("button", { name: /^Revoke/ }).first()).toBeVisible()],
  ["sessions", (page) => expect(page.getByText("This browser")).toBeVisible()],
];
test("settings", async ({ house: { owner }, open }) => {
  await call(owner, createToken, { body: { name: "Stem exporter", scopes: ["chat:read"] } });
  const page = await open(owner, "/settings/profile", CALM);
  for (const [name, ready] of SETTINGS)
    await test.step(name, async () => {
      await page.goto(`${owner.url}/settings/${name}`);
      await ready(page);
      await expectAccessible(page);
    });
});

test("members of a project", async ({ house: { owner }, pair: { ben, project }, open }) => {
  const page = await open(owner, `/projects/${project.id}/members`, CALM);
  await expect(page.getByRole("button", { name: `Take out ${ben.name}` })).toBeVisible();
  await expectAccessible(page);
});

const DIALOGS: [name: string, path: string, press: (page: Page) => Promise<void>, title: string | RegExp][] = [
  ["shortcuts", "/settings/profile", (page) => page.keyboard.press("?"), "Keyboard shortcuts"],
  ["palette", "/settings/profile", (page) => page.keyboard.press("Control+k"), "Search"],
  ["new project", "/settings/profile", (page) => fromMenu(page, "New project"), "New project"],
  ["new group", "/settings/profile", (page) => fromMenu(page, "New group"), "New group"],
  ["invite", "/settings/members?invite=new", async () => {}, "Invite somebody"],
  ["new token", "/settings/tokens", (page) => page.getByRole("button", { name: "New token" }).click(), "New token"],
  ["sign out everywhere", "/settings/sessions", (page) => page.getByRole("button", { name: "Sign out everywhere" }).click(), "Sign out everywhere?"],
];
async function fromMenu(page: Page, item: string): Promise<void> {
  await rail(page).getByRole("button", { name: "Create" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}
test("dialogs", async ({ house: { owner }, open }) => {
  const page = await open(owner, "/settings/profile", CALM);
  for (const [name, path, press, title] of DIALOGS)
    await test.step(name, async () => {
      await page.goto(`${owner.url}${path}`);
      await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
      await press(page);
      await expect(dialog(page, title)).toBeVisible();
      await expectAccessible(page);
    });
});

test("dialog: add people", async ({ pair: { ana, project }, newPerson, open }) => {
  await newPerson("Cleo");
  const page = await open(ana, `/projects/${project.id}/members`, CALM);
  await page.getByRole("button", { name: "Add people" }).first().click();
  await expect(dialog(page, "Add people").getByRole("button", { name: /^Add / }).first()).toBeVisible();
  await expectAccessible(page);
});

test("sign-in, with what went wrong", async ({ house: { service }, open, guard }) => {
  guard.allow(answered(401));
  const page = await open(null, `${service.url}/sign-in`, CALM);
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "E-mail or username" }).fill("nobody@talkback.test");
  await page.getByLabel("Password", { exact: true }).fill("not a password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
});

test("invite and reset", async ({ house: { owner }, pair: { project }, open }) => {
  const page = await open(null, await inviteLink(owner, "member", [project.id], "new@talkback.test"), CALM);
  await expect(page.getByRole("button", { name: "Join" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${owner.url}/reset#something`);
  await expect(page.getByRole("button", { name: "Save and sign in" })).toBeVisible();
  await expectAccessible(page);
});

test("set-up, and the first empty workspace", async ({ ownService, open }) => {
  const page = await open(null, ownService.setupLink(), CALM);
  await expect(page.getByRole("button", { name: "Create organisation" })).toBeVisible();
  await page.getByRole("button", { name: "Create organisation" }).click();
  await expect(page.getByRole("textbox", { name: "Organisation" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Organisation" }).fill("Northlight Audio");
  await page.getByRole("textbox", { name: "Your name" }).fill("Olga Owner");
  await page.getByRole("textbox", { name: "E-mail" }).fill("olga@talkback.test");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Create organisation" }).click();
  await expect(page.getByRole("button", { name: "Start empty" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start empty" }).click();
  await expect(page.getByRole("main").getByText("No project yet")).toBeVisible();
  await expectAccessible(page);
});

test("dead ends: no such address, no such project, used links", async ({ house: { service }, pair: { ana }, open, guard }) => {
  guard.allow(answered(404));
  const page = await open(ana, "/nowhere", CALM);
  await expect(page.getByRole("main").getByRole("link")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${ana.url}/projects/999999/chat`);
  await expect(page.getByRole("main").getByRole("link")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${service.url}/setup`);
  await expect(page.getByRole("link", { name: "Go to sign-in" })).toBeVisible();
  await expectAccessible(page);
});

test("the API page", async ({ house: { service }, open }) => {
  // Some 8,000 elements: axe takes its time.
  test.slow();
  const page = await open(null, `${service.url}/docs`, CALM);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page, "#start, #sendMessage, #record-message");
});

test("rows of the timeline read as author, time, words; what arrives is announced", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "first thing");
  await write(ben, project.id, "second thing");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(timeline(page)).toHaveAccessibleName(`Messages in ${project.name}`);
  const rows = timeline(page).getByRole("listitem");
  await expect(rows.filter({ hasText: "first thing" })).toHaveText(new RegExp(`${ben.name}\\s*\\d\\d:\\d\\d\\s*first thing$`));
  // A message under its author's last one leaves the name out of sight, but not out of hearing.
  await expect(rows.filter({ hasText: "second thing" })).toHaveText(new RegExp(`${ben.name}:\\s*\\d\\d:\\d\\d\\s*second thing$`));
  await write(ben, project.id, "news for the ears");
  await expect(page.locator("[aria-live=polite]")).toHaveText(`${ben.name}: news for the ears`);
  await send(page, "mine is not read to me");
  await expect(page.getByText("mine is not read to me")).toBeVisible();
  await expect(page.locator("[aria-live=polite]")).not.toContainText("mine is not read to me");
});
