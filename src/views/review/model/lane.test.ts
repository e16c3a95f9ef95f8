import { expect, test, vi } from "vitest";
import { createLane } from "./lane.ts";

const laid = (duration: number, position = 0) => {
  const lane = createLane(duration, position);
  lane.layOut(1_000);
  return lane;
};

test("opens on a part that shows something: of a song half a minute, of an hour two minutes, of a short sound all", () => {
  expect(laid(222).view()).toMatchObject({ from: 0, to: 37, width: 1_000 });
  expect(laid(3_600, 1_800).view()).toMatchObject({ from: 1_740, to: 1_860 });
  expect(laid(3).view()).toMatchObject({ from: 0, to: 3 });
});

test("a sound that goes on is followed, a chosen position is shown, a hand lets neither happen", () => {
  const lane = laid(600, 0);
  lane.follow(70, 70.02, false);
  expect(lane.view().from).toBeCloseTo(0.04);
  lane.follow(70.02, 400, false);
  expect(lane.view()).toMatchObject({ from: 350, to: 450 });
  const off = lane.hold();
  const [alsoOff] = [lane.hold()];
  off();
  off();
  lane.follow(400, 20, false);
  expect(lane.view().from).toBe(350);
  alsoOff();
  lane.follow(400, 20, false);
  expect(lane.view().from).toBe(0);
});

test("tells of changes and of nothing else", () => {
  const lane = laid(600);
  const heard = vi.fn<() => void>();
  const stop = lane.subscribe(heard);
  lane.layOut(1_000);
  lane.layOut(0);
  lane.reveal(10);
  expect(heard).not.toHaveBeenCalled();
  lane.fit();
  lane.fit();
  expect(heard).toHaveBeenCalledOnce();
  stop();
  lane.zoom(4, 10);
  expect(heard).toHaveBeenCalledOnce();
});
