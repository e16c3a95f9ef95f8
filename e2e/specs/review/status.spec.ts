import type { Page } from "@playwright/test";
import { listStatusChanges } from "../../../contract/operations/files.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { PROCESSING, setStatus, loadFileInfo, sendFiles } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, railProject } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { selectStatus, fastForwardCountdown, installClock, statusButton, undoButton } from "../../fixtures/statuses.ts";
import { test as withWebhooks } from "../../fixtures/webhooks.ts";

test("a status and a tempo set on the file's page show immediately in the other person's chat and on their page", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  const id = await createProcessedFile(organization, ana, project, "nightdrive_mix.wav");
  await sendFiles(ana, project, [id], "For approval");
  const [chat, page, anaPage] = await Promise.all([open(ben, `/projects/${project.id}/chat`), open(ben, `/files/${id}`), open(ana, "/icon.svg")]);
  await installClock(anaPage);
  await anaPage.goto(`${ana.url}/files/${id}`);
  const statusLabel = (status: string) => `Status of nightdrive_mix.wav: ${status}`;
  const currentTitle = async () => (await loadFileInfo(ben, id)).common.status?.title;
  /** Expects the status on another person's file page and in the chat. */
  const expectStatusShown = async (status: string) => {
    await expect(statusButton(page)).toHaveAccessibleName(statusLabel(status));
    await expect(message(chat, "For approval")).toContainText(status);
  };
  await expect(message(chat, "For approval").getByRole("slider")).toBeVisible();
  await expect(message(chat, "For approval")).not.toContainText("Approved");
  for (const targetPage of [anaPage, page]) await expect(statusButton(targetPage)).toHaveAccessibleName(statusLabel("No status"));

  await test.step("the menu works by keyboard alone, and Escape changes nothing", async () => {
    await statusButton(anaPage).focus();
    await anaPage.keyboard.press("Enter");
    await expect(anaPage.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
    await anaPage.keyboard.press("Escape");
    await expect(statusButton(anaPage)).toBeFocused();
    expect((await loadFileInfo(ana, id)).common.status).toBeNull();

    await anaPage.keyboard.press("Enter");
    await expect(anaPage.getByRole("menuitemradio", { name: "In progress" })).toBeFocused();
    await anaPage.keyboard.press("c");
    await expect(anaPage.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
    await anaPage.keyboard.press("Enter");
    await expect(undoButton(anaPage, "Changes requested")).toBeVisible();
    // Undo is the next tab stop; when the countdown ends, the focus moves from Undo to the status menu.
    await anaPage.keyboard.press("Tab");
    await expect(undoButton(anaPage, "Changes requested")).toBeFocused();
    await fastForwardCountdown(anaPage);
    await expect(statusButton(anaPage)).toHaveAccessibleName(statusLabel("Changes requested"));
    await expect(statusButton(anaPage)).toBeFocused();
    await expectStatusShown("Changes requested");
    await statusButton(anaPage).press("Enter");
    await expect(anaPage.getByRole("menuitemradio", { name: "Changes requested" })).toBeChecked();
    await expect(anaPage.getByRole("menuitemradio", { name: "Changes requested" })).toBeFocused();
    await anaPage.keyboard.press("Escape");
    await expect(statusButton(anaPage)).toBeFocused();
  });

  await test.step("a status chosen by mouse shows for both people", async () => {
    await statusButton(anaPage).click();
    await expect(anaPage.getByRole("menuitemradio")).toHaveText(["In progress", "In review", "Changes requested", "Approved"]);
    await expectAccessible(anaPage);
    await anaPage.getByRole("menuitemradio", { name: "Approved" }).click();
    await expect(statusButton(anaPage)).toHaveAccessibleName(statusLabel("Approved, pending"));
    await fastForwardCountdown(anaPage);
    await expect(statusButton(anaPage)).toHaveAccessibleName(statusLabel("Approved"));
    await expectStatusShown("Approved");
    expect(await currentTitle()).toBe("Approved");
  });

  await test.step("a status set elsewhere shows for both people", async () => {
    await setStatus(ana, project, id, "In review");
    await expect(statusButton(anaPage)).toHaveAccessibleName(statusLabel("In review"));
    await expectStatusShown("In review");
  });

  await test.step("a status that the service rejects is rolled back, with the reason", async () => {
    pageErrors.allow(statusError(400));
    const interception = await network.replyWithProblem(anaPage, "**/v1/files/set_status", 400, "The project is closed.");
    await selectStatus(anaPage, "Approved");
    await fastForwardCountdown(anaPage);
    await expect(anaPage.getByText("Couldn't set Approved for nightdrive_mix.wav. The project is closed.").first()).toBeVisible();
    await expect(statusButton(anaPage)).toHaveAccessibleName(statusLabel("In review"));
    await interception.end();
  });

  await test.step("the tempo is opened by a tap, typed, marked as corrected and reset", async () => {
    await anaPage.keyboard.press("t");
    const tempo = anaPage.getByRole("form", { name: "Correct tempo" });
    await expect(tempo.getByRole("status")).toHaveText("3 more taps");
    await tempo.getByRole("textbox", { name: "Tempo (bpm)" }).fill("64,5");
    await tempo.getByRole("button", { name: "Save" }).click();
    const tags = (targetPage: Page) => targetPage.getByRole("region", { name: "AI tags" });
    for (const targetPage of [anaPage, page]) await expect(tags(targetPage)).toContainText("64.5 bpmCorrected");
    await expect(tempo).toHaveCount(0);
    await anaPage.getByRole("button", { name: "Correct tempo" }).press("Enter");
    await tempo.getByRole("button", { name: "Reset to detected" }).click();
    for (const targetPage of [anaPage, page]) await expect(tags(targetPage)).not.toContainText("Corrected");
    await tags(anaPage).getByRole("button", { name: "Re-analyze" }).click();
    await expect(tags(anaPage)).toContainText("Analyzed just now.", PROCESSING);
  });
});

test("beside a very long file name the status keeps its whole text, and a menu that is open stays open at another width", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, `${"a very long name of a mix, ".repeat(9)}take 27.wav`);
  await setStatus(ana, project, id, "Changes requested");
  const page = await open(ana, `/files/${id}`, { viewport: { width: 1440, height: 900 } });
  const badge = statusButton(page).getByText("Changes requested");
  await expect(badge).toBeVisible();
  await statusButton(page).click();
  for (const width of [1440, 900, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(badge).toBeInViewport({ ratio: 1 });
    await expect.poll(() => badge.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await expect(page.getByRole("link", { name: "Download" }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("menuitemradio", { name: "Approved" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
});

withWebhooks(
  "a status change undone within five seconds sends no event and no webhook; a change left by a closed page asks first",
  async ({ webhooks, pageErrors, open }) => {
    pageErrors.allow(statusError(409));
    const { owner, project, receiver, register, uploadFile } = webhooks;
    await register(["file.status_changed"]);
    const id = await uploadFile("mix.txt");
    const page = await open(owner, "/icon.svg", { reducedMotion: "reduce", colorScheme: "dark" });
    await installClock(page);
    await page.goto(`${owner.url}/files/${id}`);
    // Loads the code of the note dialog and the chat in advance, because on a busy machine loading it could take longer than the countdown.
    await statusButton(page).click();
    await page.getByRole("menuitem", { name: "Set with a note…" }).click();
    await expect(page.getByRole("textbox", { name: "Note" })).toBeVisible();
    await page.keyboard.press("Escape");
    await railProject(page, project.name).click();
    await expect(page).toHaveURL(/\/chat$/);
    await page.goBack();

    await selectStatus(page, "Approved");
    await undoButton(page, "Approved").click();
    await expect(statusButton(page)).toHaveAccessibleName("Status of mix.txt: No status");
    await expect(statusButton(page)).toBeFocused();
    await selectStatus(page, "Approved");
    await page.keyboard.press("Control+z");
    await expect(statusButton(page)).toHaveAccessibleName("Status of mix.txt: No status");
    await fastForwardCountdown(page);

    // A second choice replaces the first, is applied in another view, and includes its note.
    await selectStatus(page, "In progress");
    await statusButton(page).click();
    await page.getByRole("menuitem", { name: "Set with a note…" }).click();
    await page.getByRole("radio", { name: "In review" }).check();
    await page.getByRole("textbox", { name: "Note" }).fill("The bass is right now.");
    await page.getByRole("button", { name: "Set status" }).click();
    await railProject(page, project.name).click();
    // The router changes the URL once the view is loaded; going back before that would leave the client.
    await expect(page).toHaveURL(/\/chat$/);
    await expect(undoButton(page, "In review")).toBeVisible();
    await fastForwardCountdown(page);
    await expect.poll(() => receiver.received.map(({ event }) => (event.data["new_status"] as { title: string }).title)).toEqual(["In review"]);

    // Closing the page during the countdown sends nothing; after reopening, the user sees a notice and decides.
    await page.goBack();
    await selectStatus(page, "Approved");
    const context = page.context();
    await page.close();
    const reopenedPage = await context.newPage();
    await reopenedPage.goto(`${owner.url}/files/${id}`);
    const leftNotice = reopenedPage.getByText("Approved wasn't set for mix.txt because the page was closed.").and(reopenedPage.locator("section span"));
    await expect(leftNotice).toBeVisible();
    expect((await loadFileInfo(owner, id)).common.status).toMatchObject({ title: "In review" });
    await reopenedPage.getByRole("button", { name: "Set now" }).click();
    await expect(statusButton(reopenedPage)).toHaveAccessibleName("Status of mix.txt: Approved");

    // Another person changes the status first.
    await selectStatus(reopenedPage, "In progress");
    await setStatus(owner, project, id, "Changes requested");
    await fastForwardCountdown(reopenedPage);
    await expect(reopenedPage.getByRole("button", { name: "Set In progress anyway" })).toBeVisible();
    await expect(statusButton(reopenedPage)).toHaveAccessibleName("Status of mix.txt: Changes requested");
    await expectAccessible(reopenedPage);
    await reopenedPage.getByRole("button", { name: "Set In progress anyway" }).click();
    await expect(statusButton(reopenedPage)).toHaveAccessibleName("Status of mix.txt: In progress");

    const changes = (await call(owner, listStatusChanges, { params: { file_id: id } })).data.map(({ new_status: { title }, note }) => [title, note]);
    expect(changes).toEqual([
      ["In progress", ""],
      ["Changes requested", ""],
      ["Approved", ""],
      ["In review", "The bass is right now."],
    ]);
    await expect.poll(() => receiver.received.length).toBe(4);
  },
);
