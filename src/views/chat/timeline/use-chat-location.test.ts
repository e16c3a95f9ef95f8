import { describe, expect, test } from "vitest";
import { toHistory } from "../../../queries/messages/history.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { parseMessageId, nextLocation, resolveInitialPosition } from "./use-chat-location.ts";

const project = (unread_count: number, last_read_message_id: number | null) => ({ unread_count, last_read_message_id });

describe("a chat opens", () => {
  test("at the end when everything is read", () => {
    expect(resolveInitialPosition(project(0, 9), null)).toEqual({ windowStart: "latest", scrollTarget: { at: "end" }, unreadAfter: null });
  });

  test("around the last read message when there are unread ones", () => {
    expect(resolveInitialPosition(project(3, 9), null)).toEqual({ windowStart: "around:9", scrollTarget: { at: "unread" }, unreadAfter: 9 });
  });

  test("at the beginning for a member who joined before the first message and has read nothing", () => {
    expect(resolveInitialPosition(project(60, 0), null)).toEqual({ windowStart: "around:1", scrollTarget: { at: "unread" }, unreadAfter: 0 });
  });

  test("at the end for a member who has never read, with the unread line when everything fits", () => {
    expect(resolveInitialPosition(project(100, null), null)).toEqual({ windowStart: "latest", scrollTarget: { at: "unread" }, unreadAfter: 0 });
  });

  test("at the message in the URL, and still knows what is unread", () => {
    expect(resolveInitialPosition(project(3, 9), 4)).toEqual({ windowStart: "around:4", scrollTarget: { at: "message", id: 4 }, unreadAfter: 9 });
  });
});

describe("another URL in the same chat", () => {
  const history = toHistory({ data: [4, 5, 6].map((id) => buildMessage(id)), has_more_before: true, has_more_after: false });
  const location = resolveInitialPosition(project(0, 6), null);

  test("scrolls to a loaded message, and loads around one that is not loaded", () => {
    expect(nextLocation(location, history, 5)).toMatchObject({ windowStart: "latest", scrollTarget: { at: "message", id: 5 } });
    expect(nextLocation(location, history, 1)).toMatchObject({ windowStart: "around:1" });
    expect(nextLocation(location, undefined, 5)).toMatchObject({ windowStart: "around:5" });
  });

  test("scrolls to the end when it is loaded, and loads it otherwise", () => {
    const around = resolveInitialPosition(project(0, 6), 5);
    expect(nextLocation(around, history, null)).toMatchObject({ windowStart: "around:5", scrollTarget: { at: "end" } });
    expect(nextLocation(around, { ...history, hasMoreAfter: true }, null)).toMatchObject({ windowStart: "latest", scrollTarget: { at: "end" } });
  });

  test("is a new scroll target each time, so that the same link works twice", () => {
    const first = nextLocation(location, history, 5);
    expect(nextLocation(first, history, 5).scrollTarget).not.toBe(first.scrollTarget);
  });
});

test.each([
  ["12", 12],
  [undefined, null],
  ["", null],
  ["0", null],
  ["-3", null],
  ["1e3", null],
  ["12x", null],
  ["99999999999999999999", null],
])("the message id in %s is %s", (segment, id) => {
  expect(parseMessageId(segment)).toBe(id);
});
