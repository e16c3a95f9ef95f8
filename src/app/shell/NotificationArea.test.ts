import { expect, test } from "vitest";
import { buildPendingComment } from "../../queries/comments/comment.fixture.ts";
import { unseenFailedComments } from "./NotificationArea.tsx";

test("a rejected comment is shown in one toast, and not on the page that shows it", () => {
  const failed = { state: "failed" } as const;
  const entries = [
    buildPendingComment("a", { fileId: 7 }, failed),
    buildPendingComment("b", { fileId: 8 }, failed),
    buildPendingComment("c"),
    buildPendingComment("m", {}, { ...failed, comment: null }),
  ];
  const failedIds = (announcedIds: string[], path: string) => unseenFailedComments(entries, new Set(announcedIds), path).map(({ clientId }) => clientId);
  expect(failedIds([], "/projects/1/chat")).toEqual(["a", "b"]);
  expect(failedIds(["b"], "/projects/1/chat")).toEqual(["a"]);
  expect(failedIds([], "/files/7")).toEqual(["b"]);
});
