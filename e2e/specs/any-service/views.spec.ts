/** Reads chats and files of a service that offers only the documented operations, which a stand-in provides at another origin. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { appFolder, copyApp } from "../../fixtures/app-copy.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { connectDevice, connectTab } from "../../fixtures/connection.ts";
import { createOddRecords, ODD_FILES, ODD_PROJECT } from "../../fixtures/documented-service/odd-records.ts";
import { createMessage, EMPTY_PROJECT, FILES, LONG_PROJECT, PROJECT } from "../../fixtures/documented-service/records.ts";
import { startDocumentedService, type DocumentedService, type DocumentedServiceOptions } from "../../fixtures/documented-service/service.ts";
import { detailWaveform } from "../../fixtures/detail-waveform.ts";
import { playbackPosition, playButton } from "../../fixtures/file-page.ts";
import { statusError, type PageErrors } from "../../fixtures/page-errors.ts";
import { message, newTab, timeline } from "../../fixtures/pages.ts";
import { startService } from "../../fixtures/service.ts";
import { expect, test as base } from "../../fixtures/test.ts";
import { startInFront } from "../../fixtures/upstream.ts";

const test = base.extend<{
  connect(options?: DocumentedServiceOptions): Promise<{ service: DocumentedService; page: Page; show(path: string): Promise<void> }>;
}>({
  connect: async ({ open, organization, pageErrors }, use) => {
    const services: DocumentedService[] = [];
    await use(async (options) => {
      const service = await startDocumentedService({ basePath: "/service", ...options });
      services.push(service);
      const { url } = organization.service;
      const page = await open(null, `${url}/icon.svg`);
      // The service does not describe itself.
      allowStatus(pageErrors, 404, `${service.baseUrl}/api/v2/service`);
      await connectTab(page, service);
      return { service, page, show: async (path) => void (await page.goto(url + path)) };
    });
    await Promise.all(services.map((service) => service.close()));
  },
});

const allowStatus = (pageErrors: PageErrors, status: number, url: string) =>
  pageErrors.allow(new RegExp(`${statusError(status).source}.*\\(${url.replaceAll(/[.?]/g, "\\$&")}`));
const chat = (projectId: number) => `/projects/${projectId}/chat`;
const file = (fileId: number) => `/files/${fileId}`;
const main = (page: Page) => page.getByRole("main");
const tagsPanel = (page: Page) => page.getByRole("region", { name: "AI tags" });
/** Returns a fact of a file by its label. */
const fact = (page: Page, label: string) =>
  page
    .getByRole("region", { name: "About this file" })
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd");

/** Plays an attachment, expects its position to move, and pauses. */
async function expectPlayback(container: Locator, name: string): Promise<void> {
  await container.getByRole("button", { name: `Play ${name}`, exact: true }).click();
  await expect(container.getByRole("slider", { name: `Position in ${name}` })).not.toHaveAttribute("aria-valuenow", "0");
  await container.getByRole("button", { name: `Pause ${name}`, exact: true }).click();
}

/** Plays the file of a page, expects its position to move, and pauses. */
async function expectPagePlayback(page: Page): Promise<void> {
  await playButton(page).click();
  await expect(playbackPosition(page)).not.toContainText("0:00.0");
  await main(page).getByRole("button", { name: "Pause", exact: true }).click();
}

/** Returns the number of drawn pixels of the detail waveform. */
const drawnPixels = (page: Page): Promise<number> =>
  detailWaveform(page)
    .locator("canvas")
    .evaluateAll((canvases) =>
      (canvases as HTMLCanvasElement[]).reduce((sum, canvas) => {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width || 1, canvas.height || 1);
        return sum + data.filter((value, index) => index % 4 === 3 && value > 0).length;
      }, 0),
    );

/** Expects that the service was asked for nothing but the documented operations, besides its description once for each page load. */
function expectOnlyDocumented(service: DocumentedService, pageLoads: number): void {
  expect(service.undocumentedRequests()).toEqual(Array.from({ length: pageLoads }, () => "GET /api/v2/service"));
  for (const { path, method, body } of service.requests)
    if (method === "POST" && path.endsWith("chat_history"))
      expect(Object.keys(body ?? {}).filter((name) => name !== "project_id" && name !== "limit")).toEqual([]);
}

test("a chat shows each documented kind of message and attachment, plays them, and gets new messages", async ({ connect }) => {
  const { service, page, show } = await connect();
  await show(chat(PROJECT));

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
    await expect(row.getByRole("link", { name: "delivery notes.txt", exact: true })).toHaveAttribute("href", file(FILES.document));
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
  await show(chat(LONG_PROJECT));
  await expect(message(page, /Note 130$/)).toBeVisible();
  await timeline(page).press("Home");
  await expect(page.getByText("This service offers only the newest messages. Older ones, if there are any, can't be loaded.")).toBeVisible();
  await show(chat(EMPTY_PROJECT));
  await expect(page.getByText("Nobody has written in this chat.")).toBeVisible();

  pageErrors.allow(new RegExp(`${statusError(401).source}|${statusError(403).source}|${statusError(404).source}`));
  await show(chat(99));
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
    if (failure === 403) await show(chat(PROJECT));
  }
  service.setFailure("chatHistory", null);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(message(page, "Morning!")).toBeVisible();
  expectOnlyDocumented(service, 4);
});

test("a file's page shows waveform, tags, facts and status of audio, and the other kinds as far as the document describes them", async ({
  connect,
  pageErrors,
}) => {
  const { service, page, show } = await connect();
  await show(file(FILES.mix));
  const heading = (name: string) => main(page).getByRole("heading", { name, level: 1 });
  await test.step("audio with everything", async () => {
    await expect(heading("nightdrive mix.wav")).toBeVisible();
    await expect(main(page).getByText("Approved", { exact: true })).toBeVisible();
    await expect(tagsPanel(page).getByRole("listitem")).toContainText(["Electro: 91%", "Synthwave: 64%", "Driving: 77%", "Dark: 50%", "Synthesizer: 88%"]);
    await expect(tagsPanel(page).locator("dl > div")).toContainText(["120 bpm", "A minor"]);
    await expect(fact(page, "Tempo")).toHaveText("120 bpm");
    await expect(fact(page, "Compressed copy")).toHaveText("Yes");
    for (const text of ["44.1 kHz", "Halden"]) await expect(main(page).getByText(text).first()).toBeVisible();
    await expect.poll(() => drawnPixels(page)).toBeGreaterThan(2_000);
    await expectPagePlayback(page);
    await expectAccessible(page);
  });
  await test.step("audio without status, tags and encoding", async () => {
    await show(file(FILES.draft));
    await expect(heading("draft.wav")).toBeVisible();
    await expect(main(page).getByText("Approved")).toHaveCount(0);
    await expectPagePlayback(page);
  });
  await test.step("kinds whose file info the document does not show", async () => {
    for (const [id, name] of [
      [FILES.video, "teaser.webm"],
      [FILES.image, "cover.png"],
      [FILES.document, "delivery notes.txt"],
    ] as const) {
      await show(file(id));
      await expect(heading(name)).toBeVisible();
      await expect(main(page).getByRole("link", { name: "Download" }).first()).toBeVisible();
    }
  });
  await test.step("a file that is not there, and a refused one", async () => {
    allowStatus(pageErrors, 404, `${service.baseUrl}/v1/files/get_info`);
    allowStatus(pageErrors, 403, `${service.baseUrl}/v1/files/get_info`);
    await show(file(12_345));
    await expect(page.getByRole("alert")).toContainText("There is no file with the ID 12345");
    service.setFailure("fileInfo", 403);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("alert")).toContainText("Your access token isn't allowed to read it.");
  });
  expectOnlyDocumented(service, 6);
});

test("media that require the token are played, shown and downloaded with it", async ({ connect, pageErrors }) => {
  const { service, page, show } = await connect({ mediaNeedsToken: true });
  // A URL is first used as it is.
  allowStatus(pageErrors, 401, `${service.baseUrl}/media/`);
  await show(chat(PROJECT));
  const row = message(page, "nightdrive mix.wav");
  await expect(row.locator("img[src^='blob:']").first()).toBeVisible();
  await expectPlayback(row, "nightdrive mix.wav");
  await row.getByRole("button", { name: "Play video teaser.webm" }).click();
  await expect.poll(() => row.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: "Download nightdrive mix.wav" }).click();
  expect((await download).suggestedFilename()).toBe("nightdrive mix.wav");
  // Each file was received once, however many elements show it.
  const received = service.requests
    .filter(({ method, path, status }) => method === "GET" && path.startsWith("/media/") && status === 200)
    .map(({ path }) => path);
  expect(received.toSorted()).toEqual([...new Set(received)].toSorted());

  service.setFailure("media", 403);
  allowStatus(pageErrors, 403, `${service.baseUrl}/media/`);
  await show(file(FILES.draft));
  await playButton(page).click();
  await expect(main(page).getByText("This file was deleted, or you no longer have access.")).toBeVisible();
  expectOnlyDocumented(service, 2);
});

test("media on a host of their own are played, shown and linked, and never get the token", async ({ connect }) => {
  const { service, page, show } = await connect({ mediaElsewhere: true });
  await show(chat(PROJECT));
  const row = message(page, "nightdrive mix.wav");
  await expect
    .poll(() =>
      row
        .locator("img")
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  await expectPlayback(row, "nightdrive mix.wav");
  await row.getByRole("button", { name: "Play video teaser.webm" }).click();
  await expect.poll(() => row.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  await expect(row.getByRole("link", { name: "Download nightdrive mix.wav" })).toHaveAttribute("target", "_blank");
  expect(service.mediaRequests.length).toBeGreaterThan(2);
  expect(service.mediaRequests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});

test("behind --upstream, a service without CORS is read by token, also its protected media", async ({ open, pageErrors }) => {
  const service = await startDocumentedService({ basePath: "/service", allowedOrigins: [], mediaNeedsToken: true });
  const front = await startInFront(appFolder(), service.baseUrl);
  allowStatus(pageErrors, 404, `${front.url}/api/v2/service`);
  // The connect screen probes with a file that is not there.
  allowStatus(pageErrors, 404, `${front.url}/v1/files/get_info`);
  allowStatus(pageErrors, 401, `${service.baseUrl}/media/`);
  const page = await open(null, `${front.url}/connect`);
  await page.getByRole("textbox", { name: "Address" }).fill(front.url);
  await page.getByRole("textbox", { name: "Access token" }).fill(service.token);
  await page.getByRole("button", { name: "Check address" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
  await page.goto(front.url + chat(PROJECT));
  await expect(message(page, "Morning!")).toBeVisible();
  const row = message(page, "nightdrive mix.wav");
  await expect(row.locator("img[src^='blob:']").first()).toBeVisible();
  await expectPlayback(row, "nightdrive mix.wav");
  expect(new Set(service.undocumentedRequests())).toEqual(new Set(["GET /api/v2/service"]));
  await page.goto("about:blank");
  await front.end();
  await service.close();
});

test("records with odd, missing and unknown values are shown as well as possible", async ({ connect }) => {
  const { service, page, show } = await connect({ createRecords: createOddRecords });
  await show(chat(ODD_PROJECT));
  for (const text of [
    "Of an unknown type.",
    "Only the necessary members.",
    "The parent is not among the messages.",
    "Sent at an unknown time.",
    "The last one.",
  ])
    await expect(message(page, text)).toBeVisible();
  for (const name of ["bare.bin", "scene.blend", "huge.wav"]) await expect(message(page, "Files of unknown kinds.").getByText(name).first()).toBeVisible();
  await expectAccessible(page);
  for (const [id, name] of [
    [ODD_FILES.shortWave, "two values.wav"],
    [ODD_FILES.hugeWave, "huge.wav"],
    [ODD_FILES.beyondRange, "beyond.wav"],
  ] as const) {
    await show(file(id));
    await expect(main(page).getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect.poll(() => drawnPixels(page), name).toBeGreaterThan(500);
    await expectPagePlayback(page);
  }
  await show(file(ODD_FILES.shortWave));
  // The best first; a score beyond 1 counts as 1 and does not change the others.
  await expect(tagsPanel(page).getByRole("listitem")).toContainText(["Noise: 100%", "Techno: 90%", "Ambient: 20%", "Calm: 40%"]);
  await expect(tagsPanel(page).locator("dl > div")).toContainText(["118 bpm", "Unknown"]);
  await expect(main(page).getByText("Somewhere else", { exact: true })).toBeVisible();
  await expect(fact(page, "Processing")).toHaveText("Queued elsewhere");
  await expectAccessible(page);
  for (const [id, name] of [
    [ODD_FILES.bare, "bare.bin"],
    [ODD_FILES.unknownKind, "scene.blend"],
  ] as const) {
    await show(file(id));
    await expect(main(page).getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(fact(page, "Size")).toHaveText("Unknown");
    await expect(fact(page, "Shared")).toHaveText(id === ODD_FILES.bare ? "Unknown" : "No");
    await expect(main(page).getByText(id === ODD_FILES.bare ? "Unknown status" : "new", { exact: true })).toBeVisible();
  }
  expectOnlyDocumented(service, 7);
});

test("a connection that is kept on the device serves reloads and other tabs of this browser only; polls that fail say so", async ({
  open,
  organization: {
    service: { url },
  },
  pageErrors,
}) => {
  const service = await startDocumentedService({ basePath: "/service" });
  allowStatus(pageErrors, 404, `${service.baseUrl}/api/v2/service`);
  allowStatus(pageErrors, 429, `${service.baseUrl}/v1/account/projects/chat_history`);
  const page = await open(null, `${url}/icon.svg`);
  await connectDevice(page, service);
  const tab = await newTab(page, url + chat(PROJECT));
  await expect(message(tab, "Morning!")).toBeVisible();
  service.setFailure("chatHistory", 429);
  await expect(main(tab)).toContainText("Couldn't check for new messages.");
  await expect(message(tab, "Morning!")).toBeVisible();
  service.setFailure("chatHistory", null);
  await main(tab).getByRole("button", { name: "Try again" }).click();
  await expect(main(tab)).not.toContainText("Couldn't check for new messages.");
  await tab.reload();
  await expect(message(tab, "Morning!")).toBeVisible();
  const stranger = await open(null, `${url}/sign-in`);
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await service.close();
});

test("config.json points all pages of a client to another service", async ({ open, pageErrors }) => {
  const service = await startDocumentedService();
  const app = await copyApp();
  writeFileSync(join(app.folder, "dist", "config.json"), JSON.stringify({ service_url: service.baseUrl }));
  const client = await startService(app.folder, {});
  pageErrors.allow(statusError(404));
  pageErrors.allow(statusError(401));
  const page = await open(null, `${client.url}${chat(PROJECT)}`);
  // The settings name no token, and the service does not offer to sign in.
  await expect(page.getByRole("alert")).toContainText("Your access token wasn't accepted");
  expect(service.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
  // The view itself shows why, with the action that helps first.
  await expect(page.getByText("The service refused the access token")).toBeHidden();
  await expect(page.getByRole("alert").getByRole("button")).toHaveText(["Enter another token", "Try again"]);
  await page.getByRole("button", { name: "Enter another token" }).click();
  const dialog = page.getByRole("dialog", { name: "Enter another token" });
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: "Access token" }).fill(service.token);
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(message(page, "Morning!")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  // While messages are shown, the notice above the view says that the token ended, and polls pause.
  service.setFailure("chatHistory", 401);
  await expect(page.getByText("The service refused the access token")).toBeVisible();
  await expect(message(page, "Morning!")).toBeVisible();
  await expect(main(page).getByText("Couldn't check for new messages.")).toHaveCount(0);
  expectOnlyDocumented(service, 1);
  await page.goto("about:blank");
  await client.end();
  app.remove();
  await service.close();
});
