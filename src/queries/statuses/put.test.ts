import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { FileInfoAnswer, FileStatus } from "../../../contract/records.ts";
import { fileKeys } from "../files/keys.ts";
import { attachmentOf } from "../files/attachment.fixture.ts";
import { messageOf } from "../messages/message.fixture.ts";
import { messageKeys } from "../messages/keys.ts";
import { orderScope, statusKeys } from "./keys.ts";
import { putStatuses, statusNow } from "./put.ts";

const status = (id: number, title: string, color = id): FileStatus => ({ id, title, color, position: id });
const [review, approved] = [status(2, "In review"), status(4, "Approved")];
const news = { team_id: 1, statuses: [status(2, "Listening", 9), approved], default_status_id: 2, replaced: { status_id: 3, replacement_id: 4 } };

test("renamed and recolored, replaced, of another team, or none", () => {
  expect([review, status(3, "Gone"), status(8, "Theirs"), null].map((one) => statusNow(one, news)?.title)).toEqual([
    "Listening",
    "Approved",
    "Theirs",
    undefined,
  ]);
});

test("the list and every page of a file show it at once", () => {
  const client = new QueryClient();
  const put = (id: number, now: FileStatus | null) =>
    client.setQueryData(fileKeys.info(id), { common: { id, status: now }, file_info: { object: "document_file_info" } });
  put(1, review);
  put(2, status(3, "Gone"));
  put(3, null);
  const history = { messages: [messageOf(1, { attachments: [attachmentOf(1, { audio: { ...attachmentOf(1).audio!, status: review } })] }), messageOf(2)] };
  client.setQueryData(messageKeys.project(5), history);
  putStatuses(client, news);
  const shown = [1, 2, 3].map((id) => client.getQueryData<FileInfoAnswer>(fileKeys.info(id))!.common.status?.title);
  expect(shown).toEqual(["Listening", "Approved", undefined]);
  const messages = client.getQueryData<typeof history>(messageKeys.project(5))!.messages;
  expect(messages[0]!.attachments[0]!.audio!.status!.title).toBe("Listening");
  expect(messages[1]).toBe(history.messages[1]);
  expect(client.getQueryData(statusKeys.ofTeam(1))).toEqual({ statuses: news.statuses, defaultId: 2 });
});

test("while rows are moved here, news of an order that was sent before does not set them back", async () => {
  const client = new QueryClient();
  const key = statusKeys.ofTeam(1);
  client.setQueryData(key, { statuses: [approved, review], defaultId: null });
  const answer = Promise.withResolvers<void>();
  const sent = client
    .getMutationCache()
    .build(client, { scope: { id: orderScope(1) }, mutationFn: () => answer.promise })
    .execute(undefined);
  const shown = () => client.getQueryData<{ statuses: FileStatus[] }>(key)!.statuses.map(({ title }) => title);
  putStatuses(client, { ...news, statuses: [status(2, "Listening"), status(9, "New"), approved] });
  expect(shown()).toEqual(["Approved", "Listening", "New"]);
  answer.resolve();
  await sent;
  putStatuses(client, news);
  expect(shown()).toEqual(["Listening", "Approved"]);
});
