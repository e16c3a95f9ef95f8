/** Plays, shows and downloads media of a service that offers only the documented operations. */
import { appFolder } from "../../fixtures/app-copy.ts";
import { allowStatus, chatPath, expect, expectOnlyDocumented, expectPlayback, filePath, main, test } from "../../fixtures/documented-pages.ts";
import { FILES, PROJECT } from "../../fixtures/documented-service/records.ts";
import { startDocumentedService } from "../../fixtures/documented-service/service.ts";
import { playButton } from "../../fixtures/file-page.ts";
import { message } from "../../fixtures/pages.ts";
import { startInFront } from "../../fixtures/upstream.ts";

test("media that require the token are played, shown and downloaded with it", async ({ connect, pageErrors }) => {
  const { service, page, show } = await connect({ mediaNeedsToken: true });
  // A URL is first used as it is.
  allowStatus(pageErrors, 401, `${service.baseUrl}/media/`);
  await show(chatPath(PROJECT));
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
  await show(filePath(FILES.draft));
  await playButton(page).click();
  await expect(main(page).getByText("This file was deleted, or you no longer have access.")).toBeVisible();
  expectOnlyDocumented(service, 2);
});

test("media on a host of their own are played, shown and linked, and never get the token", async ({ connect }) => {
  const { service, page, show } = await connect({ mediaElsewhere: true });
  await show(chatPath(PROJECT));
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
  await page.goto(front.url + chatPath(PROJECT));
  await expect(message(page, "Morning!")).toBeVisible();
  const row = message(page, "nightdrive mix.wav");
  await expect(row.locator("img[src^='blob:']").first()).toBeVisible();
  await expectPlayback(row, "nightdrive mix.wav");
  expect(new Set(service.undocumentedRequests())).toEqual(new Set(["GET /api/v2/service"]));
  await page.goto("about:blank");
  await front.end();
  await service.close();
});
