import type { Page } from "@playwright/test";
import { statusHistory } from "../../../contract/operations/files.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { call } from "../../fixtures/api.ts";
import { giveStatus, infoOf, sendFiles } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { message } from "../../fixtures/pages.ts";
import { choose, countDown, inHand, statusButton, undo } from "../../fixtures/statuses.ts";
import { expect, test } from "../../fixtures/network.ts";
import { readyFile } from "../../fixtures/ready-files.ts";
import { test as withHooks } from "../../fixtures/webhooks.ts";

test("a status and a tempo that are set on the file's page are at once in the other's chat and on the other's page", async ({
  house,
  pair: { ana, ben, project },
  open,
  network,
  guard,
}) => {
  const id = await readyFile(house, ana, project, "nightdrive_mix.wav");
  await sendFiles(ana, project, [id], "For approval");
  const [chat, page, mine] = await Promise.all([open(ben, `/projects/${project.id}/chat`), open(ben, `/files/${id}`), open(ana, `/files/${id}`)]);
  await inHand(mine);
  const named = (status: string) => `Status of nightdrive_mix.wav: ${status}`;
  const currentTitle = async () => (await infoOf(ben, id)).common.status?.title;
  /** Who looks on sees it on the page and in the chat. */
  const expectSeen = async (status: string) => {
    await expect(statusButton(page)).toHaveAccessibleName(named(status));
    await expect(message(chat, "For approval")).toContainText(status);
  };
  await expect(message(chat, "For approval").getByRole("slider")).toBeVisible();
  await expect(message(chat, "For approval")).not.toContainText("Approved");
  for (const one of [mine, page]) await expect(statusButton(one)).toHaveAccessibleName(named("No status"));

  await test.step("the menu is used by keys alone, and Escape approves nothing", async () => {
    await statusButton(mine).focus();
    await mine.keyboard.press("Enter");
    await expect(mine.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
    await mine.keyboard.press("Escape");
    await expect(statusButton(mine)).toBeFocused();
    expect((await infoOf(ana, id)).common.status).toBeNull();

    await mine.keyboard.press("Enter");
    await expect(mine.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
    await mine.keyboard.press("c");
    await expect(mine.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
    await mine.keyboard.press("Enter");
    await expect(undo(mine, "Changes requested")).toBeVisible();
    // The way back is the next stop; when its time is over whoever is there is led to the menu.
    await mine.keyboard.press("Tab");
    await expect(undo(mine, "Changes requested")).toBeFocused();
    await countDown(mine);
    await expect(statusButton(mine)).toHaveAccessibleName(named("Changes requested"));
    await expect(statusButton(mine)).toBeFocused();
    await expectSeen("Changes requested");
    await statusButton(mine).press("Enter");
    await expect(mine.getByRole("menuitemradio", { name: "Changes requested" })).toBeChecked();
    await expect(mine.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
    await mine.keyboard.press("Escape");
    await expect(statusButton(mine)).toBeFocused();
  });

  await test.step("by the mouse", async () => {
    await statusButton(mine).click();
    await expect(mine.getByRole("menuitemradio")).toHaveText(["In progress", "In review", "Changes requested", "Approved"]);
    await expectAccessible(mine);
    await mine.getByRole("menuitemradio", { name: "Approved" }).click();
    await expect(statusButton(mine)).toHaveAccessibleName(named("Approved, not counted yet"));
    await countDown(mine);
    await expect(statusButton(mine)).toHaveAccessibleName(named("Approved"));
    await expectSeen("Approved");
    expect(await currentTitle()).toBe("Approved");
  });

  await test.step("a status that somebody sets elsewhere", async () => {
    await giveStatus(ana, project, id, "In review");
    await expect(statusButton(mine)).toHaveAccessibleName(named("In review"));
    await expectSeen("In review");
  });

  await test.step("a status that the service refuses is taken back, with the reason", async () => {
    guard.allow(answered(400));
    const refusal = await network.refuse(mine, "**/v1/files/set_status", 400, "The project is closed.");
    await choose(mine, "Approved");
    await countDown(mine);
    await expect(mine.getByText("Approved was not set for nightdrive_mix.wav. The project is closed.").first()).toBeVisible();
    await expect(statusButton(mine)).toHaveAccessibleName(named("In review"));
    await refusal.end();
  });

  await test.step("the tempo: opened by a tap, typed, marked as corrected, taken back", async () => {
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
