import { inviteLink, join, PASSWORD } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { dialog, expectSent, message, rail, railProject, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("an owner copies a link, somebody joins with it in a second browser, and both chat", async ({ house: { owner }, pair: { project }, open }, info) => {
  const page = await open(owner, "/settings/members", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog(page, "Invite somebody").getByRole("checkbox", { name: project.name }).check();
  await page.getByRole("button", { name: "Create link" }).click();
  const ready = dialog(page, "The invite is ready");
  await ready.getByRole("button", { name: "Copy" }).click();
  await expect(ready.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(await ready.getByRole("textbox", { name: "Invite link" }).inputValue());
  await ready.getByRole("button", { name: "Done" }).click();

  const second = await open(null, link);
  await expect(second.getByRole("heading", { name: "Join Northlight Audio" })).toBeVisible();
  await expect(second.getByRole("main")).toContainText(owner.name);
  await expect(second.getByRole("main")).toContainText(project.name);
  const name = unique("Cleo", info.testId);
  await second.getByRole("textbox", { name: "Your name" }).fill(name);
  await second.getByRole("textbox", { name: "E-mail" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
  await second.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await second.getByRole("button", { name: "Join" }).click();
  await expect(second).toHaveURL(`${owner.url}/projects/${project.id}/chat`);

  await page.goto(`${owner.url}/projects/${project.id}/chat`);
  await send(second, "I am in");
  await expectSent(second, "I am in");
  await expect(message(page, "I am in")).toContainText(name);
  await send(page, "Welcome");
  await expect(message(second, "Welcome")).toContainText(owner.name);
});

test("a link that was used is told, and the way on", async ({ house: { owner }, open, guard }) => {
  const link = await inviteLink(owner, "member");
  const used = await open(null, link);
  await used.getByRole("textbox", { name: "Your name" }).fill("Dora First");
  await used.getByRole("textbox", { name: "E-mail" }).fill("dora@talkback.test");
  await used.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await used.getByRole("button", { name: "Join" }).click();
  await expect(rail(used)).toBeVisible();

  guard.allow(answered(404));
  const late = await open(null, link);
  await expect(late.getByRole("heading", { name: "This invite does not work any more" })).toBeVisible();
  await expect(late.getByRole("link", { name: "Go to sign-in" })).toBeVisible();
});

test("a name that is taken is told beside the field and the link still works", async ({ house: { owner }, open, guard, newPerson }) => {
  const taken = await newPerson("Taken");
  guard.allow(answered(409));
  const page = await open(null, await inviteLink(owner, "member"));
  await page.getByRole("textbox", { name: "Your name" }).fill(taken.name.toUpperCase());
  await page.getByRole("textbox", { name: "E-mail" }).fill("someone.else@talkback.test");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("textbox", { name: "Your name" })).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("textbox", { name: "Your name" }).fill(`${taken.name} the second`);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("main").getByText("No project yet")).toBeVisible();
});

test("an invite that was withdrawn works no more", async ({ house: { owner }, open, guard }) => {
  const link = await inviteLink(owner, "member", [], "late@talkback.test");
  const page = await open(owner, "/settings/members");
  const row = page.getByRole("listitem").filter({ hasText: "For late@talkback.test" });
  await row.getByRole("button", { name: "Withdraw" }).click();
  await expect(row).toHaveCount(0);
  guard.allow(answered(404));
  const late = await open(null, link);
  await expect(late.getByRole("heading", { name: "This invite does not work any more" })).toBeVisible();
});

test("somebody who is added to a project sees it appear by itself", async ({ house: { owner }, pair: { project }, open }, info) => {
  const guest = await join(owner, unique("Gil", info.testId), "member");
  const his = await open(guest, "/");
  await expect(his.getByRole("main").getByText("No project yet")).toBeVisible();
  const page = await open(owner, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: "Add people" }).first().click();
  await page.getByRole("button", { name: `Add ${guest.name}` }).click();
  await expect(railProject(his, project.name)).toBeVisible();
});
