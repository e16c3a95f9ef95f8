/** Reads chats of a service that offers only the documented operations, which a stand-in provides at another origin. */
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { allowStatus, chatPath, expect, expectOnlyDocumented, expectPlayback, filePath, main, test } from "../../fixtures/documented-pages.ts";
import { createMessage, EMPTY_PROJECT, FILES, LONG_PROJECT, PROJECT } from "../../fixtures/documented-service/records.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, timeline } from "../../fixtures/pages.ts";

test("a chat shows each documented kind of message and attachment, plays them, and gets new messages", async ({ connect }) => {
  const { service, page, show } = await connect();
  await show(chatPath(PROJECT));

  await test.step("texts, edits, replies and authors", async () => {
    await expect(message(page, "Morning! The first mix of Nightdrive is up.").first()).toContainText("Account 11");
    await expect(message(page, /^Account 12.*The bass is 2 dB too loud\./s)).toContainText("edited");
    await expect(message(page, "Agreed, fixed it.")).toContainText("The bass is 2 dB too loud.");
    await expect(message(page, "Stems for the label").getByRole("link", { name: "https://label.example/deliver" })).toBeVisible();
    await expect(main(page)).toContainText("This service doesn't offer sending messages.");
    await expect(page.getByRole("textbox")).toHaveCount(0);
  });
  await test.step("audio, video, picture, document and voice note of messages without text", async () => {
    const row = message(page, "nightdrive mix.wav");
    await expectPlayback(row, "nightdrive mix.wav");
    // Playing it loads its info, which has the waveform.
    await expect(row.getByRole("slider", { name: "Position in nightdrive mix.wav" })).toHaveAttribute("aria-valuemax", "12");
    await expect(row.getByText("120 bpm")).toBeVisible();
    await row.getByRole("button", { name: "Play video teaser.webm" }).click();
    await expect.poll(() => row.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
    await row.getByRole("button", { name: "View cover.png full size" }).click();
    await expect
      .poll(() =>
        page
          .getByRole("dialog")
          .locator("img")
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBe(640);
    await page.keyboard.press("Escape");
    await expect(row.getByRole("link", { name: "delivery notes.txt", exact: true })).toHaveAttribute("href", filePath(FILES.document));
    const download = page.waitForEvent("download");
    await row.getByRole("link", { name: "Download delivery notes.txt" }).click();
    expect((await download).suggestedFilename()).toBe("delivery notes.txt");
    await expectPlayback(timeline(page), "Voice note from Account 12");
  });
  await test.step("flags of attachments", async () => {
    const row = message(page, "Stems for the label");
    for (const text of ["Shared", "Blind drop"]) await expect(row.getByText(text, { exact: true })).toBeVisible();
    await expect(row.getByRole("img", { name: "Unread comments" })).toBeVisible();
  });
  await expectAccessible(page);
  await test.step("a new message arrives by polling, in whatever order the service sends the chat", async () => {
    service.order = "newest first";
    service.records.chats.get(PROJECT)!.push(createMessage(7, { body: "Mastered, too." }));
    await expect(message(page, "Mastered, too.")).toBeVisible();
    const texts = await timeline(page).getByRole("listitem").allInnerTexts();
    const positions = ["Morning!", "Agreed, fixed it.", "Stems for the label", "Mastered, too."].map((text) =>
      texts.findLastIndex((row) => row.includes(text)),
    );
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });
  expectOnlyDocumented(service, 1);
});

test("long, empty, unknown and failing chats say what can be done", async ({ connect, pageErrors }) => {
  const { service, page, show } = await connect();
  await show(chatPath(LONG_PROJECT));
  await expect(message(page, /Note 130$/)).toBeVisible();
  await timeline(page).press("Home");
  await expect(page.getByText("This service offers only the newest messages. Older ones, if there are any, can't be loaded.")).toBeVisible();
  await show(chatPath(EMPTY_PROJECT));
  await expect(page.getByText("No messages yet.")).toBeVisible();

  pageErrors.allow(new RegExp(`${statusError(401).source}|${statusError(403).source}|${statusError(404).source}`));
  await show(chatPath(99));
  await expect(page.getByRole("alert")).toContainText("There is no chat with the project ID 99");
  for (const [failure, text] of [
    [401, "Your access token wasn't accepted"],
    [403, "Your access token isn't allowed to read it."],
    ["truncated", "The response isn't one that the service's documentation describes."],
  ] as const) {
    service.setFailure("chatHistory", failure);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("alert")).toContainText(text);
    if (failure === 401) await expectAccessible(page);
    if (failure === 403) await show(chatPath(PROJECT));
  }
  service.setFailure("chatHistory", null);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(message(page, "Morning!")).toBeVisible();
  expectOnlyDocumented(service, 4);
});

test("a token that is revoked while a chat is open ends the polls, with one notice; another one goes on", async ({ connect, pageErrors }) => {
  const { service, page, show } = await connect();
  allowStatus(pageErrors, 401, service.baseUrl);
  await page.clock.install();
  await show(chatPath(PROJECT));
  await expect(message(page, "Morning!")).toBeVisible();
  const countPolls = () => service.requests.filter(({ path, method }) => method === "POST" && path.endsWith("chat_history")).length;
  await skipMinutes(page, 1);
  await expect.poll(countPolls).toBeGreaterThan(1);

  service.token = "the-next-token";
  await skipUntilVisible(page, page.getByText("The service refused the access token"));
  await expect(page.getByText("The service refused the access token")).toHaveCount(1);
  const refusedCount = countPolls();
  await skipMinutes(page, 10);
  await expect(message(page, "Morning!")).toBeVisible();
  await expect(page.getByText("Couldn't check for new messages.")).toHaveCount(0);
  expect(countPolls()).toBe(refusedCount);

  service.records.chats.get(PROJECT)!.push(createMessage(7, { body: "Written meanwhile." }));
  await page.getByRole("button", { name: "Enter another token" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Access token" }).fill(service.token);
  await page.getByRole("button", { name: "Use this token" }).click();
  await expect(message(page, "Written meanwhile.")).toBeVisible();
  await expect(page.getByText("The service refused the access token")).toHaveCount(0);
  service.records.chats.get(PROJECT)!.push(createMessage(8, { body: "And polled." }));
  await skipUntilVisible(page, message(page, "And polled."));
});

/** Lets the page poll until the locator shows. The timer of the next poll may not be set yet when the one before has reached the service. */
const skipUntilVisible = (page: Page, locator: Locator): Promise<void> =>
  expect(async () => {
    await skipMinutes(page, 1);
    await expect(locator).toBeVisible({ timeout: 1_000 });
  }).toPass();

/** Lets every timer of the page fire that is due in this time, once for each half minute. */
async function skipMinutes(page: Page, minutes: number): Promise<void> {
  for (let half = 0; half < minutes * 2; half += 1) await page.clock.fastForward(30_000);
}
