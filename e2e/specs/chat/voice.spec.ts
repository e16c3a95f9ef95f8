import { chromium, type Page } from "@playwright/test";
import { loadMessages, createStorageState, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { countStored, loadStored } from "../../fixtures/browser-storage.ts";
import { waitUntilProcessed } from "../../fixtures/files.ts";
import { MICROPHONE_DENIED, WITH_MICROPHONE } from "../../fixtures/microphone.ts";
import { NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, message, menuItem, newTab, stableBox, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

// Runs these tests in one worker, whose browser and service serve this file alone.
test.describe.configure({ mode: "default" });
test.use(WITH_MICROPHONE);

const record = (page: Page) => page.getByRole("button", { name: "Record a voice note" });
const stop = (page: Page) => page.getByRole("button", { name: "Stop recording" });
const levelMeter = (page: Page) => page.getByRole("meter", { name: "Microphone level" });
const draft = (page: Page) => page.getByRole("group", { name: /^Voice note, .*, not sent$/ });
const voiceNotes = (page: Page) => timeline(page).getByRole("group", { name: /^Voice note/ });
/** Waits until the visible timer shows that many recorded seconds. */
async function waitForElapsed(page: Page, seconds: number): Promise<void> {
  const timer = page.getByRole("timer");
  await expect(timer).toBeVisible();
  await expect.poll(async () => Number((await timer.textContent())?.split(":").at(-1))).toBeGreaterThanOrEqual(seconds);
}
/** Returns the meter's current image; silence always draws the same line. */
const meterImage = (page: Page) => levelMeter(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
/** Opens the chat in a tab that the test may close, beside a tab that has not loaded the client. */
async function openClosableChat(open: (person: Person, path: string) => Promise<Page>, person: Person, path: string) {
  const parkedPage = await open(person, "/icon.svg");
  return { parkedPage, context: parkedPage.context(), page: await newTab(parkedPage, `${person.url}${path}`) };
}
const noteSeconds = async (page: Page, index: number) => Number(await voiceNotes(page).nth(index).getByRole("slider").getAttribute("aria-valuemax"));

test("a voice note is recorded, played and sent without a network, and arrives once after a reload; the next one plays automatically", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const path = `/projects/${project.id}/chat`;
  const { parkedPage, context, page } = await openClosableChat(open, ana, path);

  await test.step("recording by click shows the level; Escape discards the recording, and Undo restores it", async () => {
    await record(page).click();
    await waitForElapsed(page, 3);
    await expect.poll(() => levelMeter(page).getAttribute("aria-valuenow").then(Number)).toBeGreaterThan(20);
    const before = await meterImage(page);
    await expect.poll(() => meterImage(page)).not.toBe(before);
    await page.keyboard.press("Escape");
    await expect(draft(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Send voice note" })).toBeFocused();
  });

  await test.step("a recording can be played before it is sent", async () => {
    await expect(draft(page)).toBeVisible();
    await draft(page).getByRole("button", { name: "Play your recording" }).click();
    await expect(draft(page).getByRole("button", { name: "Pause your recording" })).toBeVisible();
    await expect(draft(page).getByRole("slider")).not.toHaveAttribute("aria-valuenow", "0");
    await draft(page).getByRole("button", { name: "Pause your recording" }).click();
  });

  await test.step("an unfinished recording survives a reload of its tab", async () => {
    await record(page).press("Enter");
    await waitForElapsed(page, 2);
    await expectAccessible(page);
    await page.reload();
    await expect(draft(page)).toHaveCount(2);
    await expect(page.getByText(/Recorded .* \(0:\d\d\), not sent/)).toHaveCount(2);
    await draft(page).first().getByRole("button", { name: "Delete recording" }).click();
    await expect(draft(page)).toHaveCount(1);
  });

  await test.step("notes are sent by keyboard without a network, and canceled", async () => {
    await record(page).press("Enter");
    await waitForElapsed(page, 2);
    await context.setOffline(true);
    await stop(page).press("Enter");
    // One button sends both.
    await expect(page.getByRole("button", { name: "Send voice note" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(draft(page)).toHaveCount(0);
    await expect(voiceNotes(page)).toHaveCount(2);
    await expect(voiceNotes(page).first().getByRole("button", { name: "Play Your voice note" })).toBeVisible();
    await expect.poll(() => noteSeconds(page, 0)).toBeGreaterThanOrEqual(2);
    // A canceled pending note becomes a draft again and can be sent again, now with a text.
    await page.getByRole("button", { name: "Move to draft" }).last().click();
    await expect(voiceNotes(page)).toHaveCount(1);
    await composer(page).fill("Listen to the bridge");
    await expect(page.getByRole("button", { name: /^Send/ })).toHaveCount(1);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(message(page, "Listen to the bridge").getByRole("group", { name: /^Voice note/ })).toHaveCount(1);
    await expect(composer(page)).toHaveValue("");
    // Canceled again, its text returns to the field.
    await page.getByRole("button", { name: "Move to draft" }).last().click();
    await expect(composer(page)).toHaveValue("Listen to the bridge");
    await composer(page).press("Enter");
    await expect(draft(page)).toHaveCount(0);
    await expect(voiceNotes(page)).toHaveCount(2);
    // The page warns before it is closed until the notes are stored.
    await expect.poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })))).toBe(true);
    await page.close();
    expect(await loadMessages(ana, project.id)).toHaveLength(0);
    await context.setOffline(false);
    await parkedPage.goto(`${ana.url}${path}`);
    await expect(timeline(parkedPage).getByRole("button", { name: /^Play Voice note from Ana/ })).toHaveCount(2);
  });

  const benPage = await open(ben, path);
  await test.step("each note arrives once with its full duration; the other person plays the first, and the next one follows", async () => {
    await expect(voiceNotes(benPage)).toHaveCount(2);
    for (const { attachments } of await loadMessages(ana, project.id)) await waitUntilProcessed(ana, attachments[0]!.id);
    const messages = await loadMessages(ana, project.id);
    expect(messages.map(({ attachments }) => attachments[0]!.transcoding_status)).toEqual(["transcoded", "transcoded"]);
    expect(messages.map(({ body, is_audio_message, attachments }) => [body, is_audio_message, attachments.length])).toEqual([
      ["", true, 1],
      ["Listen to the bridge", true, 1],
    ]);
    const [first, second] = [0, 1].map((index) => voiceNotes(benPage).nth(index)) as [ReturnType<typeof voiceNotes>, ReturnType<typeof voiceNotes>];
    // The duration from the service matches what a browser decodes from the recorded bytes.
    const decodedDurations = await benPage.evaluate(
      (urls) => Promise.all(urls.map(async (url) => (await new AudioContext().decodeAudioData(await (await fetch(url)).arrayBuffer())).duration)),
      messages.map(({ attachments }) => attachments[0]!.url),
    );
    for (const [index, { attachments }] of messages.entries()) expect(Math.abs(attachments[0]!.audio!.duration - decodedDurations[index]!)).toBeLessThan(0.1);
    await expect(first).toHaveAccessibleName(/^Voice note, \d+ seconds?$/);
    await first.getByRole("button", { name: /^Play / }).click();
    await expect(second.getByRole("button", { name: /^Pause / })).toBeVisible();
    await expect(first.getByRole("button", { name: /^Play / })).toBeVisible();
    await expect(second.getByRole("slider")).not.toHaveAttribute("aria-valuenow", "0");
    await first.getByRole("button", { name: "Voice note speed: 1×" }).click();
    await first.getByRole("button", { name: "Voice note speed: 1.5×" }).click();
    await benPage.reload();
    await expect(voiceNotes(benPage).first().getByRole("button", { name: "Voice note speed: 2×" })).toBeVisible();
  });

  await test.step("a quote of a voice note shows its duration", async () => {
    const row = timeline(benPage).getByRole("article").first();
    await row.click({ button: "right", position: { x: 150, y: 12 } });
    await menuItem(benPage, "Reply").click();
    await expect(benPage.getByRole("group", { name: /^Replying to / })).toBeVisible();
    await composer(benPage).fill("Heard it");
    await composer(benPage).press("Enter");
    await expect(message(benPage, "Heard it")).toContainText(/Voice note 0:\d\d/);
  });
});

test("a page that is closed before it has copied a voice note's bytes asks first, and the next page sends the note from its recording", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const path = `/projects/${project.id}/chat`;
  const { parkedPage, context, page } = await openClosableChat(open, ana, path);
  // The browser refuses the copies of bytes, and stores everything else.
  await page.evaluate(() => {
    const originalPut = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) {
      const request = originalPut.apply(this, args);
      if (this.name === "bytes") this.transaction.abort();
      return request;
    };
  });
  await record(page).click();
  await waitForElapsed(page, 2);
  await context.setOffline(true);
  await stop(page).click();
  await page.getByRole("button", { name: "Send voice note" }).click();
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect.poll(() => countStored(page, "talkback.outbox", "entries")).toBe(1);
  await expect.poll(() => countStored(page, "talkback.uploads", "notes")).toBe(1);
  const dialogOpened = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await dialogOpened;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await page.close();

  await context.setOffline(false);
  await parkedPage.goto(`${ana.url}${path}`);
  await expect(voiceNotes(parkedPage).getByRole("button", { name: /^Play Voice note from Ana/ })).toHaveCount(1);
  await expect(draft(parkedPage)).toHaveCount(0);
  expect(await loadMessages(ana, project.id)).toHaveLength(1);
});

test("on a phone a voice note is recorded by holding and canceled by dragging; playback waits, and a denied microphone shows what to do", async ({
  pair: { ana, project },
  open,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const path = `/projects/${project.id}/chat`;
  const page = await open(ana, "/tasks", phone);
  await page.goto(`${ana.url}${path}`);
  const touch = await page.context().newCDPSession(page);
  const dispatchTouch = async (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    void (await touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] }));
  const box = await stableBox(record(page));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await dispatchTouch("touchStart", x, y);
  await expect(page.getByText("Release to stop, drag away to cancel")).toBeVisible();
  await waitForElapsed(page, 1);
  await dispatchTouch("touchEnd");
  await expect(draft(page)).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await dispatchTouch("touchStart", x, y);
  await waitForElapsed(page, 1);
  await dispatchTouch("touchMove", x - 160, y);
  await expect(page.getByText("Release to cancel")).toBeVisible();
  await dispatchTouch("touchEnd");
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(draft(page)).toHaveCount(1);

  await page.getByRole("button", { name: "Send voice note" }).click();
  await expect(voiceNotes(page).getByRole("button", { name: /^Play Voice note from Ana/ })).toBeVisible();
  await record(page).click();
  await waitForElapsed(page, 1);
  await voiceNotes(page)
    .getByRole("button", { name: /^Play / })
    .click();
  await expect(page.getByRole("main").getByText("Playback is off while recording. Stop recording to listen.")).toBeVisible();
  await expect(voiceNotes(page).getByRole("button", { name: /^Pause / })).toHaveCount(0);
  await waitForElapsed(page, 2);
  // Only what is stored survives the page.
  await expect.poll(async () => (await loadStored(page, "talkback.recordings", "notes")).some(({ discarded }) => discarded === false)).toBe(true);
  await page.goBack();
  await page.goForward();
  await expect(page.getByText(/Recorded .* \(0:\d\d\), not sent/)).toBeVisible();
  // Checks a voice note and a draft together.
  await expect(voiceNotes(page)).toHaveCount(1);
  await expectAccessible(page);

  const deniedBrowser = await chromium.launch(MICROPHONE_DENIED);
  const deniedPage = await deniedBrowser.newPage({ ...phone, reducedMotion: "reduce", storageState: createStorageState(ana) });
  await deniedPage.goto(`${ana.url}${path}`);
  await record(deniedPage).click();
  await expect(deniedPage.getByRole("alert")).toContainText("Microphone access is blocked for this site.");
  await expect(record(deniedPage)).toBeVisible();
  await expectAccessible(deniedPage);
  await deniedBrowser.close();
});
