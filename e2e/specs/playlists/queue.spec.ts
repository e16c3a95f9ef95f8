import type { Page } from "@playwright/test";
import { addPlaylistItems, movePlaylistItems, removePlaylistItems, updatePlaylist } from "../../../contract/operations/playlists.ts";
import type { Project } from "../../../contract/records.ts";
import { call, type Person } from "../../fixtures/api.ts";
import { miniPlayer } from "../../fixtures/file-page.ts";
import { toasts } from "../../fixtures/files-view.ts";
import { upload, uploadVersion, waitUntilProcessed } from "../../fixtures/files.ts";
import { continuousTone, recordSegments } from "../../fixtures/heard-segments.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { loadPlaylistItems, writePlaylist } from "../../fixtures/playlists.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";

const play = (page: Page) => page.getByRole("main").getByRole("button", { name: "Play", exact: true }).click();
const playerButton = (page: Page, name: string) => miniPlayer(page).getByRole("button", { name, exact: true });

/** Uploads short tracks of one tone. */
async function uploadTone(person: Person, project: Project, names: readonly string[], seconds: number): Promise<number[]> {
  const parts = continuousTone(names.length, seconds);
  const ids: number[] = [];
  for (const [index, name] of names.entries()) ids.push(await upload(person, project, name, parts[index]!));
  for (const id of ids) await waitUntilProcessed(person, id);
  return ids;
}

test("a gap of a second is silent and counts as playing; a pause in a gap ends it before the next track", async ({ pair: { ana, ben, project }, open }) => {
  const ids = await uploadTone(ana, project, ["one.wav", "two.wav"], 2);
  const { id } = await writePlaylist(ana, project, "Side A", ids, 1_000);
  const page = await open(ana, "/icon.svg", { bypassCSP: true });
  await recordSegments(page);
  await page.goto(`${ana.url}/playlists/${id}`);

  await test.step("the next track begins a second after the end", async () => {
    await play(page);
    await page.waitForFunction(() => window.heardSegments.length === 2);
    const [[, end] = [0, 0], [start] = [0, 0]] = await page.evaluate(() => window.heardSegments);
    expect(start - end).toBeGreaterThan(0.95);
    // The timer may be late on a busy machine.
    expect(start - end).toBeLessThan(1.5);
    await expect(playerButton(page, "Play two.wav")).toBeVisible();
  });

  await test.step("in a longer gap, which another person has set, the first track is at its end and counts as playing", async () => {
    await call(ben, updatePlaylist, { params: { playlist_id: id }, body: { gap_ms: 10_000 } });
    await expect(page.getByText("2 tracks · 0:14 · 10 s gap")).toBeVisible();
    await play(page);
    await expect(miniPlayer(page)).toContainText("0:02 / 0:02");
    await expect(playerButton(page, "Pause one.wav")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  });

  await test.step("a pause makes the next track current, and it begins when one goes on", async () => {
    await playerButton(page, "Pause one.wav").click();
    await expect(miniPlayer(page)).toContainText("0:00 / 0:02 · 2 of 2 in Side A");
    await playerButton(page, "Play two.wav").click();
    await page.waitForFunction(() => window.heardSegments.length === 4);
  });
});

test("a track that cannot be played is named and skipped", async ({ organization, pair: { ana, project }, open, network }) => {
  const ids = await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav", "three.wav"]);
  const { id } = await writePlaylist(ana, project, "Side A", ids);
  const [, broken] = await loadPlaylistItems(ana, id);
  const page = await open(ana, "/icon.svg");
  const url = new URL(broken!.file.compressed_file_url ?? broken!.file.url, ana.url).pathname;
  await network.reply(page, `**${url}*`, { contentType: "audio/mp4", body: "no sound" });
  await page.goto(`${ana.url}/playlists/${id}`);
  await play(page);
  await expect(playerButton(page, "Pause one.wav")).toBeVisible();
  await playerButton(page, "Next track").click();
  await expect(toasts(page)).toContainText("Couldn't play two.wav");
  await expect(playerButton(page, "Pause three.wav")).toBeVisible();
  await expect(miniPlayer(page)).toContainText("3 of 3 in Side A");
});

test("what another person changes in a playlist that plays is followed in every view", async ({ organization, pair: { ana, ben, project }, open }) => {
  const ids = await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav", "three.wav"]);
  const { id } = await writePlaylist(ana, project, "Side A", ids);
  const items = (await loadPlaylistItems(ana, id)).map((item) => item.id);
  const params = { playlist_id: id };
  const page = await open(ana, `/playlists/${id}`);
  await play(page);
  await expect(miniPlayer(page)).toContainText("1 of 3 in Side A");
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();

  await call(ben, movePlaylistItems, { params, body: { item_ids: [items[2]!], before_item_id: items[0]! } });
  await expect(miniPlayer(page)).toContainText("2 of 3 in Side A");
  await call(ben, addPlaylistItems, { params, body: { items: [{ file_id: ids[2]! }] } });
  await expect(miniPlayer(page)).toContainText("2 of 4 in Side A");
  await call(ben, removePlaylistItems, { params, body: { item_ids: [items[2]!] } });
  await expect(miniPlayer(page)).toContainText("1 of 3 in Side A");
  await call(ben, removePlaylistItems, { params, body: { item_ids: [items[1]!] } });
  await expect(miniPlayer(page)).toContainText("1 of 2 in Side A");
  await expect(playerButton(page, "Pause one.wav")).toBeVisible();

  // The track that follows plays its newest version.
  await uploadVersion(ben, ids[2]!, wav(3));
  await waitUntilProcessed(ben, ids[2]!);
  await playerButton(page, "Next track").click();
  await expect(playerButton(page, "Pause three.wav")).toBeVisible();
  await expect(miniPlayer(page)).toContainText("/ 0:03 · 2 of 2 in Side A");
  await expect(miniPlayer(page).getByRole("link", { name: "Open three.wav" })).toHaveAttribute("href", /[?&]v=2/);
});

declare global {
  interface Window {
    mediaKeys: Partial<Record<string, MediaSessionActionHandler | null>>;
  }
}

test("the system's media keys go to the next and the previous track, and pause and go on, also in a gap", async ({ pair: { ana, project }, open }) => {
  const ids = await uploadTone(ana, project, ["one.wav", "two.wav", "three.wav"], 2);
  const { id } = await writePlaylist(ana, project, "Side A", ids, 10_000);
  const page = await open(ana, "/icon.svg");
  await page.addInitScript(() => {
    window.mediaKeys = {};
    const setHandler = MediaSession.prototype.setActionHandler;
    MediaSession.prototype.setActionHandler = function (action, handler) {
      window.mediaKeys[action] = handler;
      setHandler.call(this, action, handler);
    };
  });
  await page.goto(`${ana.url}/playlists/${id}`);
  const press = (action: MediaSessionAction) => page.evaluate((key) => window.mediaKeys[key]!({ action: key }), action);
  const session = () => page.evaluate(() => [navigator.mediaSession.playbackState, navigator.mediaSession.metadata?.title]);
  const keys = () => page.evaluate(() => ["previoustrack", "nexttrack"].filter((key) => window.mediaKeys[key]));
  await play(page);
  await expect.poll(session).toEqual(["playing", "one.wav"]);
  expect(await keys()).toEqual(["previoustrack", "nexttrack"]);

  await press("nexttrack");
  await expect(playerButton(page, "Pause two.wav")).toBeVisible();
  await expect.poll(session).toEqual(["playing", "two.wav"]);
  await press("previoustrack");
  await expect(playerButton(page, "Pause one.wav")).toBeVisible();
  await press("pause");
  await expect.poll(session).toEqual(["paused", "one.wav"]);
  await press("play");
  await expect(miniPlayer(page)).toContainText("0:02 / 0:02");
  expect(await session()).toEqual(["playing", "one.wav"]);
  await press("pause");
  await expect(playerButton(page, "Play two.wav")).toBeVisible();
  await press("nexttrack");
  await expect(playerButton(page, "Pause three.wav")).toBeVisible();
  // Nothing follows the last track.
  await expect.poll(keys).toEqual(["previoustrack"]);
});
