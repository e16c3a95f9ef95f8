import { expect, test } from "vitest";
import { fakeMedia, track } from "../../../audio/player/media.fixture.ts";
import { createPlayer, type Media } from "../../../audio/player/player.ts";
import { buildEntry } from "../../../queries/file-lists/entry.fixture.ts";
import { playEntry, type PlayableInfo } from "./use-entry-handlers.ts";

/** Creates an entry player; an entry's info loads when the test calls `load`. */
function setUp() {
  const player = createPlayer(
    () => fakeMedia() as unknown as Media,
    () => {},
  );
  const infos = [1, 2].map(() => Promise.withResolvers<PlayableInfo>());
  const load = (fileId: number) => infos[fileId - 1]!.resolve({ common: { compressed_file_url: null, url: `/media/${fileId}` } });
  return { player, load, play: (fileId: number) => playEntry(player, buildEntry(fileId), () => infos[fileId - 1]!.promise) };
}

test("an entry plays once its info is loaded, and pauses when it is pressed again", async () => {
  const { player, load, play } = setUp();
  const first = play(1);
  load(1);
  await first;
  expect(player.state()).toMatchObject({ track: { fileId: 1, src: "/media/1", name: "file 1.wav" }, isPlaying: true });
  await play(1);
  expect(player.state()).toMatchObject({ track: { fileId: 1 }, isPlaying: false });
});

test("of two entries, the one pressed last plays, even if its info loads first", async () => {
  const { player, load, play } = setUp();
  const presses = [play(1), play(2)];
  load(2);
  await presses[1];
  load(1);
  await Promise.all(presses);
  expect(player.state().track?.fileId).toBe(2);
});

test("an entry does not replace what the user has played elsewhere meanwhile", async () => {
  for (const started of [7, 8]) {
    const { player, load, play } = setUp();
    player.play(track(7));
    player.pause();
    const press = play(1);
    player.play(track(started));
    load(1);
    await press;
    expect(player.state()).toMatchObject({ track: { fileId: started }, isPlaying: true });
  }
});
