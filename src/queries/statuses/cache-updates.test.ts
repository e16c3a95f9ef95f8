import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import { createClient } from "../../app/create-client.ts";
import { buildAttachment } from "../files/attachment.fixture.ts";
import { fileKeys } from "../files/cache-updates.ts";
import { messageKeys } from "../messages/cache-updates.ts";
import { buildMessage } from "../messages/message.fixture.ts";
import { applyTeamStatuses, currentStatus, reorderScope, statusKeys } from "./cache-updates.ts";

const status = (id: number, title: string, color = id): FileStatus => ({ id, title, color, position: id });
const [review, approved] = [status(2, "In review"), status(4, "Approved")];
const event = {
  team_id: 1,
  statuses: [status(2, "Listening", 9), approved],
  default_status_id: 2,
  new_version_resets_status: true,
  replaced: { status_id: 3, replacement_id: 4 },
};

test("a change of the statuses updates or replaces a file's status, and ignores other teams", () => {
  expect([review, status(3, "Gone"), status(8, "Theirs"), null].map((previous) => currentStatus(previous, event)?.title)).toEqual([
    "Listening",
    "Approved",
    "Theirs",
    undefined,
  ]);
});

test("a change of the statuses shows in the list and on every cached file", () => {
  const client = createClient();
  const setInfo = (id: number, current: FileStatus | null) =>
    client.queryClient.setQueryData(fileKeys.info(id), { common: { id, status: current }, file_info: { object: "document_file_info" } });
  setInfo(1, review);
  setInfo(2, status(3, "Gone"));
  setInfo(3, null);
  const history = {
    messages: [buildMessage(1, { attachments: [buildAttachment(1, { audio: { ...buildAttachment(1).audio!, status: review } })] }), buildMessage(2)],
  };
  client.queryClient.setQueryData(messageKeys.project(5), history);
  applyTeamStatuses(client, event);
  const shown = [1, 2, 3].map((id) => client.queryClient.getQueryData<FileInfoResponse>(fileKeys.info(id))!.common.status?.title);
  expect(shown).toEqual(["Listening", "Approved", undefined]);
  const messages = client.queryClient.getQueryData<typeof history>(messageKeys.project(5))!.messages;
  expect(messages[0]!.attachments[0]!.audio!.status!.title).toBe("Listening");
  expect(messages[1]).toBe(history.messages[1]);
  expect(client.queryClient.getQueryData(statusKeys.team(1))).toEqual({ statuses: event.statuses, defaultId: 2, newVersionResetsStatus: true });
});

test("a change of the statuses is not undone by older responses of loads in flight", async () => {
  const client = createClient();
  const buildInfo = (current: FileStatus) => ({ common: { id: 1, status: current }, file_info: { object: "document_file_info" } });
  const load = (queryKey: readonly unknown[], before: object, now: object) => {
    const queryFn = vi.fn<() => Promise<object>>().mockResolvedValue(now).mockResolvedValueOnce(before);
    onTestFinished(new QueryObserver(client.queryClient, { queryKey, queryFn }).subscribe(() => {}));
  };
  client.queryClient.setQueryData(fileKeys.info(1), buildInfo(review));
  load(fileKeys.info(1), buildInfo(review), buildInfo(event.statuses[0]!));
  load(statusKeys.team(1), { statuses: [review], defaultId: null }, { statuses: event.statuses, defaultId: 2, newVersionResetsStatus: true });
  applyTeamStatuses(client, event);
  await expect.poll(() => client.queryClient.isFetching()).toBe(0);
  expect(client.queryClient.getQueryData<FileInfoResponse>(fileKeys.info(1))!.common.status?.title).toBe("Listening");
  expect(client.queryClient.getQueryData(statusKeys.team(1))).toEqual({ statuses: event.statuses, defaultId: 2, newVersionResetsStatus: true });
});

test("an older order event does not undo a reorder in progress", async () => {
  const client = createClient();
  const key = statusKeys.team(1);
  client.queryClient.setQueryData(key, { statuses: [approved, review], defaultId: null });
  const response = Promise.withResolvers<void>();
  const sent = client.queryClient
    .getMutationCache()
    .build(client.queryClient, { scope: { id: reorderScope(1) }, mutationFn: () => response.promise })
    .execute(undefined);
  const shown = () => client.queryClient.getQueryData<{ statuses: FileStatus[] }>(key)!.statuses.map(({ title }) => title);
  applyTeamStatuses(client, { ...event, statuses: [status(2, "Listening"), status(9, "New"), approved] });
  expect(shown()).toEqual(["Approved", "Listening", "New"]);
  response.resolve();
  await sent;
  applyTeamStatuses(client, event);
  expect(shown()).toEqual(["Listening", "Approved"]);
});
