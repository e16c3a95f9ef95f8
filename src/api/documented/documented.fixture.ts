/** Records with the members that the service document lists and no others, and a function that reads a response as the client does. */
import type { Operation } from "../../../contract/define-operation.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { getFileInfo } from "../../../contract/operations/files.ts";
import { createWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import { readDocumentedResponse } from "./responses.ts";

const SERVICE = "https://media.example/service/";
const BODIES = new Map<Operation, object>([
  [chatHistory, { project_id: 5, limit: 50 }],
  [getFileInfo, { file_id: 12 }],
  [createWebhookEndpoint, { url: "https://receiver.example/hook", event_types: ["file.uploaded"] }],
]);
export const read = (operation: Operation, json: unknown, base = SERVICE) => readDocumentedResponse(operation, json, BODIES.get(operation), base);

/** A message, an attachment and a file info with the documented members and no others, as the service document lists them. */
export const message = {
  id: 101,
  chat_id: 5,
  account_id: 9,
  body: "Listen",
  datetime: "2026-03-01T10:00:00.000Z",
  edited: false,
  is_audio_message: false,
  type: "message",
  parent_message_id: null,
  parent_chat_id: null,
  parent_account_id: null,
  attachments: [] as unknown[],
};
export const attachment = {
  id: 12,
  name: "mix.wav",
  size: 1_000,
  url: "https://files.example/12",
  compressed_file_url: null,
  has_unread_comments: false,
  is_blind_drop: false,
  is_shared: false,
  transcoding_status: "transcoded",
};
export const aiTags = { bpm: 120.5, genres: [["Techno", 0.9]], instruments: [], moods: [], key: ["A minor"] };
export const common = {
  id: 12,
  name: "mix.wav",
  size: 1_000,
  url: "https://files.example/12",
  compressed_file_url: null,
  account_id: 9,
  project_id: 5,
  file_team_id: 2,
  is_blind_drop: false,
  is_shared: false,
  status: null,
  transcoding_status: "transcoded",
};
export const audioInfo = {
  object: "audio_file_info",
  annotations: '{"title":"Mix"}',
  audio_encoding: "pcm_s16le",
  bitrate: "1411200",
  bits_per_sample: 16,
  bpm: 120.5,
  duration: 2.5,
  key: null,
  number_of_chanels: 2,
  number_of_samples: 110_250,
  samplerate: 44_100,
  wave: [0, 0.5, 1],
};
export const fileInfo = { ai_tags: aiTags, common, file_info: audioInfo };
