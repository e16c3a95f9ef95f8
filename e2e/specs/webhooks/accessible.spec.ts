import type { Page } from "@playwright/test";
import { join } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { dialog } from "../../fixtures/pages.ts";
import { withStatus } from "../../fixtures/receiver.ts";
import { expect } from "../../fixtures/test.ts";
import { card, deliveries, opener, test } from "../../fixtures/webhooks.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("explained, listed, open with a failure, and refused to members", async ({ hooks: { owner, project, receiver, register, bring }, open }) => {
  test.slow();
  const page = await open(owner, "/settings/webhooks", CALM);
  await expect(page.getByRole("button", { name: "New endpoint" })).toBeVisible();
  await expectAccessible(page);

  receiver.answer(withStatus(503, { "retry-after": "600" }, "busy"));
  const endpoint = await register(["file.uploaded"]);
  await register(["task.closed"], "http://127.0.0.1:9/other");
  await bring("mix.txt");
  await page.goto(`${owner.url}/settings/webhooks`);
  await expect(card(page, /talkback/)).toContainText("Failing since");
  await expectAccessible(page);

  await page.goto(`${owner.url}/settings/webhooks/${endpoint.id}`);
  await opener(deliveries(page, "mix.txt").first()).click();
  await expect(page.getByRole("region", { name: "Request of attempt 1" })).toBeVisible();
  await expectAccessible(page);
  await expectReadable(page);

  const member = await join(owner, "Ben", "member", [project.id]);
  const refused = await open(member, "/settings/webhooks", CALM);
  await expect(refused.getByText("Webhooks are managed by owners and admins")).toBeVisible();
  await expectAccessible(refused);
});

test("switched off", async ({ hooks: { owner, receiver, register, bring }, open }) => {
  receiver.answer(withStatus(410));
  const endpoint = await register(["file.uploaded"]);
  await bring("mix.txt");
  const page = await open(owner, `/settings/webhooks/${endpoint.id}`, CALM);
  await expect(page.getByRole("region", { name: "Webhooks" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expectAccessible(page);
});

const DIALOGS: [title: string, press: (page: Page) => Promise<void>][] = [
  ["New endpoint", (page) => page.getByRole("button", { name: "New endpoint" }).click()],
  ["Edit endpoint", (page) => page.getByRole("button", { name: "Edit" }).click()],
  ["Send a test event", (page) => page.getByRole("button", { name: "Send test event" }).click()],
  ["Recover since", (page) => page.getByRole("button", { name: "Recover since…" }).click()],
  ["Rotate the signing secret?", (page) => page.getByRole("button", { name: "Rotate" }).click()],
  ["Verify signatures", (page) => page.getByRole("button", { name: "Python" }).click()],
];
test("dialogs", async ({ hooks: { owner, register }, open }) => {
  test.slow();
  const endpoint = await register();
  const page = await open(owner, `/settings/webhooks/${endpoint.id}`, CALM);
  for (const [title, press] of DIALOGS) {
    await press(page);
    await expect(dialog(page, title)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog(page, title)).toHaveCount(0);
  }
});

test("an endpoint and a delivery are opened and closed by keyboard, and the focus stays", async ({ hooks: { owner, register, bring }, open }) => {
  await register(["file.uploaded"]);
  await bring("mix.txt");
  const page = await open(owner, "/settings/webhooks", CALM);
  await card(page, /talkback/).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: /talkback/ })).toBeFocused();
  const row = deliveries(page, "mix.txt").first();
  await expect(row).toContainText("Delivered");
  await opener(row).focus();
  await page.keyboard.press("Enter");
  await expect(opener(row)).toHaveAttribute("aria-expanded", "true");
  await expect(opener(row)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(opener(row)).toHaveAttribute("aria-expanded", "false");
  await expect(opener(row)).toBeFocused();
});

test("on a phone one pane at a time, and back leads to the card", async ({ hooks: { owner, register }, open }) => {
  await register(["file.uploaded"]);
  const page = await open(owner, "/settings/webhooks", { ...CALM, viewport: { width: 390, height: 844 } });
  await card(page, /talkback/).click();
  await expect(page.getByRole("heading", { level: 2, name: /talkback/ })).toBeVisible();
  await expect(card(page, /talkback/)).toHaveCount(0);
  await page.getByRole("link", { name: "Endpoints" }).click();
  await expect(card(page, /talkback/)).toBeFocused();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);
});
