import type { Page } from "@playwright/test";
import { statusHistory } from "../../../contract/operations/files.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { call } from "../../fixtures/api.ts";
import { giveStatus, infoOf, processed, sendFiles, upload } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { wav } from "../../fixtures/media.ts";
import { message } from "../../fixtures/pages.ts";
import { choose, countDown, inHand, statusButton, undo } from "../../fixtures/statuses.ts";
import { expect, test } from "../../fixtures/test.ts";
import { test as withHooks } from "../../fixtures/webhooks.ts";

test("a status and a tempo that are set on the file's page are at once in the other's chat and on the other's page", async ({
  pair: { ana, ben, project },
  open,
}) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(2));
  await processed(ana, id);
  await sendFiles(ana, project, [id], "For approval");
  const [chat, page, mine] = await Promise.all([open(ben, `/projects/${project.id}/chat`), open(ben, `/files/${id}`), open(ana, `/files/${id}`)]);
  await inHand(mine);
  await expect(message(chat, "For approval").getByRole("slider")).toBeVisible();
  await expect(statusButton(page)).toHaveAccessibleName("Status of nightdrive_mix.wav: No status");

  await statusButton(mine).click();
  await expect(mine.getByRole("menuitemradio")).toHaveText(["In progress", "In review", "Changes requested", "Approved"]);
  await expectAccessible(mine);
  await mine.getByRole("menuitemradio", { name: "Approved" }).click();
  await expect(statusButton(mine)).toHaveAccessibleName("Status of nightdrive_mix.wav: Approved, not counted yet");
  await countDown(mine);
  for (const one of [mine, page]) await expect(statusButton(one)).toHaveAccessibleName("Status of nightdrive_mix.wav: Approved");
  await expect(message(chat, "For approval")).toContainText("Approved");
  expect((await infoOf(ben, id)).common.status).toMatchObject({ title: "Approved" });

  // The tempo: opened by a tap, typed, marked as corrected, taken back.
  await mine.keyboard.press("t");
  const tempo = mine.getByRole("form", { name: "Correct the tempo" });
  await expect(tempo.getByRole("status")).toHaveText("3 taps more");
  await tempo.getByRole("textbox", { name: "Tempo in bpm" }).fill("64,5");
  await tempo.getByRole("button", { name: "Save" }).click();
  const tags = (one: Page) => one.getByRole("region", { name: "AI tags" });
  for (const one of [mine, page]) await expect(tags(one)).toContainText("64.5 bpmBy hand");
  await expect(tempo).toHaveCount(0);
  await mine.getByRole("button", { name: "Correct the tempo" }).press("Enter");
  await tempo.getByRole("button", { name: "Back to what was found" }).click();
  for (const one of [mine, page]) await expect(tags(one)).not.toContainText("By hand");
  await tags(mine).getByRole("button", { name: "Generate again" }).click();
  await expect(tags(mine)).toContainText("Generated just now.");
});

test("the menu is used by keys alone, and Escape approves nothing", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "verse.wav", wav(2));
  const page = await open(ana, `/files/${id}`);
  await inHand(page);
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
  await expect(undo(page, "Changes requested")).toBeVisible();
  // The way back is the next stop; when its time is over whoever is there is led to the menu.
  await page.keyboard.press("Tab");
  await expect(undo(page, "Changes requested")).toBeFocused();
  await countDown(page);
  await expect(statusButton(page)).toHaveAccessibleName("Status of verse.wav: Changes requested");
  await expect(statusButton(page)).toBeFocused();
  await statusButton(page).press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "Changes requested" })).toBeChecked();
  await expect(page.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
});

test("a status that the service refuses is taken back, with the reason", async ({ pair: { ana, project }, guard, open }) => {
  guard.allow(answered(400));
  const id = await upload(ana, project, "chorus.wav", wav(2));
  const page = await open(ana, `/files/${id}`);
  await inHand(page);
  await page.route("**/v1/files/set_status", (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      json: { object: "error", status: 400, title: "Refused", detail: "The project is closed." },
    }),
  );
  await choose(page, "Approved");
  await countDown(page);
  await expect(page.getByText("Approved was not set for chorus.wav. The project is closed.").first()).toBeVisible();
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

withHooks("what is taken back within five seconds sends no event and no webhook; what is left behind asks", async ({ hooks, guard, open }) => {
  guard.allow(answered(409));
  const { owner, project, receiver, register, bring } = hooks;
  await register(["file.status_changed"]);
  const id = await bring("mix.txt");
  const page = await open(owner, `/files/${id}`, { reducedMotion: "reduce", colorScheme: "dark" });
  await inHand(page);

  await choose(page, "Approved");
  await undo(page, "Approved").click();
  await expect(statusButton(page)).toHaveAccessibleName("Status of mix.txt: No status");
  await expect(statusButton(page)).toBeFocused();
  await choose(page, "Approved");
  await page.keyboard.press("Control+z");
  await expect(statusButton(page)).toHaveAccessibleName("Status of mix.txt: No status");
  await countDown(page);

  // A second choice takes the place of the first, goes on in another view, and brings its note.
  await choose(page, "In progress");
  await statusButton(page).click();
  await page.getByRole("menuitem", { name: "With a note…" }).click();
  await page.getByRole("radio", { name: "In review" }).check();
  await page.getByRole("textbox", { name: "Note" }).fill("The bass is right now.");
  await page.getByRole("button", { name: "Set status" }).click();
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(undo(page, "In review")).toBeVisible();
  await countDown(page);
  await expect.poll(() => receiver.received.map(({ event }) => (event.data["new_status"] as { title: string }).title)).toEqual(["In review"]);

  // Closed in time: nothing is sent. Whoever comes back is told, and decides.
  await page.goBack();
  await choose(page, "Approved");
  const context = page.context();
  await page.close();
  const again = await context.newPage();
  await again.goto(`${owner.url}/files/${id}`);
  const left = again.getByText("Approved was not set for mix.txt: the page was closed before it counted.").and(again.locator("section span"));
  await expect(left).toBeVisible();
  expect((await infoOf(owner, id)).common.status).toMatchObject({ title: "In review" });
  await again.getByRole("button", { name: "Set it now" }).click();
  await expect(statusButton(again)).toHaveAccessibleName("Status of mix.txt: Approved");

  // Somebody else is faster.
  await inHand(again);
  await choose(again, "In progress");
  await giveStatus(owner, project, id, "Changes requested");
  await countDown(again);
  await expect(again.getByRole("button", { name: "Set In progress anyway" })).toBeVisible();
  await expect(statusButton(again)).toHaveAccessibleName("Status of mix.txt: Changes requested");
  await expectAccessible(again);
  await again.getByRole("button", { name: "Set In progress anyway" }).click();
  await expect(statusButton(again)).toHaveAccessibleName("Status of mix.txt: In progress");

  const changes = (await call(owner, statusHistory, { params: { file_id: id } })).data.map(({ new_status: { title }, note }) => [title, note]);
  expect(changes).toEqual([
    ["In progress", ""],
    ["Changes requested", ""],
    ["Approved", ""],
    ["In review", "The bass is right now."],
  ]);
  await expect.poll(() => receiver.received.length).toBe(4);
});
