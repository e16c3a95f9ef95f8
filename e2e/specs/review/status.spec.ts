import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { infoOf, processed, sendFiles, upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { message } from "../../fixtures/pages.ts";
import { answered } from "../../fixtures/guard.ts";
import { expect, test } from "../../fixtures/test.ts";

const statusButton = (page: Page) => page.getByRole("button", { name: /^Status of / });

test("approving on the file's page changes the badge in the other's chat and on the other's page at once", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(2));
  await processed(ana, id);
  await sendFiles(ana, project, [id], "For approval");
  const [chat, page, mine] = await Promise.all([open(ben, `/projects/${project.id}/chat`), open(ben, `/files/${id}`), open(ana, `/files/${id}`)]);
  await expect(message(chat, "For approval").getByRole("slider")).toBeVisible();
  await expect(statusButton(page)).toHaveAccessibleName("Status of nightdrive_mix.wav: No status");

  await statusButton(mine).click();
  await expect(mine.getByRole("menuitemradio")).toHaveText(["In progress", "In review", "Changes requested", "Approved"]);
  await expectAccessible(mine);
  await mine.getByRole("menuitemradio", { name: "Approved" }).click();
  for (const one of [mine, page]) await expect(statusButton(one)).toHaveAccessibleName("Status of nightdrive_mix.wav: Approved");
  await expect(message(chat, "For approval")).toContainText("Approved");
  expect((await infoOf(ben, id)).common.status).toMatchObject({ title: "Approved" });
});

test("the menu is used by keys alone, and Escape approves nothing", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "verse.wav", wav(2));
  const page = await open(ana, `/files/${id}`);
  await statusButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(statusButton(page)).toBeFocused();
  expect((await infoOf(ana, id)).common.status).toBeNull();

  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
  await page.keyboard.press("c");
  await expect(page.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(statusButton(page)).toHaveAccessibleName("Status of verse.wav: Changes requested");
  await statusButton(page).press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "Changes requested" })).toBeChecked();
  await expect(page.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
});

test("a status that the service refuses is taken back, with the reason", async ({ pair: { ana, project }, guard, open }) => {
  guard.allow(answered(400));
  const id = await upload(ana, project, "chorus.wav", wav(2));
  const page = await open(ana, `/files/${id}`);
  await page.route("**/v1/files/set_status", (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      json: { object: "error", status: 400, title: "Refused", detail: "The project is closed." },
    }),
  );
  await statusButton(page).click();
  await page.getByRole("menuitemradio", { name: "Approved" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The project is closed." })).toBeVisible();
  await expect(statusButton(page)).toHaveAccessibleName("Status of chorus.wav: No status");
});

test("a guest sees the status and is told why it cannot be changed", async ({ pair: { ana, project }, newPerson, open }) => {
  const id = await upload(ana, project, "bridge.wav", wav(2));
  const page = await open(await newPerson("Gus", "guest", [project.id]), `/files/${id}`);
  await statusButton(page).click();
  await expect(page.getByRole("menuitem")).toContainText("Guests cannot change a status.");
  await page.getByRole("menuitem").press("Enter");
  await expect(statusButton(page)).toHaveAccessibleName("Status of bridge.wav: No status");
});
