import { captureAfterSeeks, CAPTURE_MODULE_URL } from "../../../server/testing/listening-page.ts";
import { encodeOddFile } from "../../../server/testing/audio.ts";
import { createChirp, secondOfChirp } from "../../../server/media/testing/chirp.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { filesPath } from "../../fixtures/files-view.ts";
import { expect, test } from "../../fixtures/test.ts";

const SECONDS = 20;
const PLACES = [0.02, 3.3, 9.77, 14.2, 19.7];
/** Formats in which players only estimate where a second is, and the container's own delay in seconds that nothing declares. */
const FILES = [
  ["MP3, variable rate, bare", "song.mp3", 1_105 / 44_100],
  ["ADTS, variable rate", "song.aac", 1_024 / 44_100],
  ["Vorbis, chained", "song.ogg", 0],
] as const;

test("the sound that plays is the asked second, also where the file does not tell how long it is", async ({ pair: { ana, project }, open }) => {
  test.slow();
  const { samples } = createChirp(SECONDS, 44_100);
  const ids = await Promise.all(FILES.map(([format, name]) => upload(ana, project, name, encodeOddFile(format, [samples, samples], 44_100))));
  const page = await open(ana, filesPath(project), { bypassCSP: true });
  // Browsers allow sound after a click only.
  await page.mouse.click(2, 2);
  for (const [index, [format, , delay]] of FILES.entries()) {
    const { common, file_info: info } = await waitUntilProcessed(ana, ids[index]!);
    const playback = await page.evaluate(captureAfterSeeks, { url: common.compressed_file_url ?? common.url, moduleUrl: CAPTURE_MODULE_URL, seconds: PLACES });
    expect(playback.error).toBeNull();
    expect(Math.abs(playback.duration - (info as { duration: number }).duration), format).toBeLessThan(0.05);
    for (const [place, second] of PLACES.entries()) {
      const at = secondOfChirp(Float32Array.from(playback.captured[place]!), playback.rate, SECONDS);
      expect(Math.abs(at + delay - second), `${format} at ${second} s`).toBeLessThan(0.05);
    }
  }
});
