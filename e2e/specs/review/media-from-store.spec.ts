/** Media that the browser loads straight from an S3-compatible store, by redirects to signed URLs. */
import { startS3Server, type S3Request } from "../../../server/testing/s3-server.ts";
import { createProject, setUpOwner } from "../../fixtures/api.ts";
import { playbackPosition, playButton } from "../../fixtures/file-page.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { png, wav } from "../../fixtures/media.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/test.ts";

test("sound and pictures come from the store, waveforms from the service, and playback goes on when a signed URL has ended", async ({
  startServiceWith,
  open,
  pageErrors,
}) => {
  // A URL that has ended is answered with 403, which the browser reports in one of two ways: whether the URL is the one it began with depends on the time.
  pageErrors.allow(statusError(403));
  pageErrors.allow(/net::ERR_BLOCKED_BY_ORB$/);
  const store = await startS3Server();
  try {
    const service = await startServiceWith({ ...store.environment, S3_SIGNED_URLS: "on" });
    const owner = await setUpOwner(service.url, service.setupLink());
    const project = await createProject(owner, "Nightdrive");
    const [song, picture] = [await upload(owner, project, "mix.wav", wav(60)), await upload(owner, project, "cover.png", png(400, 300))];
    for (const id of [song, picture]) await waitUntilProcessed(owner, id);
    const page = await open(owner, "/icon.svg");
    const fromStore: string[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(store.endpoint)) fromStore.push(`${response.request().resourceType()} ${response.status()}`);
    });

    await test.step("a picture", async () => {
      await page.goto(`${owner.url}/files/${picture}`);
      await expect.poll(() => fromStore).toContain("image 200");
      await expect
        .poll(() =>
          page
            .locator("main img")
            .first()
            .evaluate((image: HTMLImageElement) => image.naturalWidth),
        )
        .toBeGreaterThan(0);
    });

    const isMedia = ({ method, query }: S3Request) => method === "GET" && query.has("X-Amz-Signature");
    await test.step("a sound", async () => {
      // The store sends only the beginning, so that another position needs another request.
      store.onRequest = (request) => (isMedia(request) ? { stallAfter: 300_000 } : null);
      await page.goto(`${owner.url}/files/${song}`);
      await playButton(page).click();
      await expect(playbackPosition(page)).toHaveText(/0:0[1-9]/);
      expect(fromStore).toContain("media 206");
    });

    await test.step("a position that is loaded after the URL has ended", async () => {
      let refused = 0;
      store.onRequest = (request) => (isMedia(request) && (refused += 1) === 1 ? { status: 403, code: "AccessDenied" } : null);
      await page.keyboard.press("8");
      await expect(playbackPosition(page)).toHaveText(/0:(49|5\d)/);
      expect(refused).toBeGreaterThan(1);
    });
  } finally {
    await store.close();
  }
});
