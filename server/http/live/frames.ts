/** Encodes and parses live frames; each event is encoded once for all its receivers. */
import { clientFrame, type ClientFrame, type ProjectActivity, type ServerFrame, type SignalType, WITHHELD } from "../../../contract/events.ts";
import type { LocalSignal } from "../../events/hub.ts";
import type { LoggedEvent } from "../../events/log.ts";

/** Standard WebSocket close codes: RFC 6455 (1008) and the IANA registry (1013). */
export const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;

interface EncodedFrames {
  data?: Record<string, unknown>;
  event?: Buffer;
  withheld?: Buffer;
  activity?: Buffer;
  change?: Buffer;
}
const frameCache = new WeakMap<LoggedEvent, EncodedFrames>();
const localSignalFrames = new WeakMap<LocalSignal, Buffer>();

export const encode = (frame: ServerFrame): Buffer => Buffer.from(JSON.stringify(frame));

export const eventFrame = (event: LoggedEvent): Buffer => (framesOf(event).event ??= encodeEventFrame(event, event.type, event.data));
/** An empty frame that keeps the event's position in the order. Clients skip its type like any unknown one. */
export const withheldFrame = (event: LoggedEvent): Buffer => (framesOf(event).withheld ??= encodeEventFrame(event, WITHHELD, "{}"));

export const eventData = (event: LoggedEvent): Record<string, unknown> => (framesOf(event).data ??= JSON.parse(event.data) as Record<string, unknown>);

/** The signal for a new message. */
export function activityFrame(event: LoggedEvent): Buffer {
  return (framesOf(event).activity ??= (() => {
    const { id, chat_id, account_id, mentions } = eventData(event) as { id: number; chat_id: number; account_id: number; mentions?: number[] };
    const data: ProjectActivity = { project_id: chat_id, message_id: id, account_id, mentions: mentions ?? [] };
    return encode({ signal: { type: "project.activity", data } });
  })());
}

type ProjectChange = "project.changed" | "playlists.changed" | "agent_tasks.changed" | "agent_actions.changed";

/** The signal that the event changed something of a project; `projectMember` is the member of the event's data that has the project's id. */
export function changeFrame(event: LoggedEvent, type: ProjectChange, projectMember: string): Buffer {
  return (framesOf(event).change ??= encode({ signal: { type, data: { project_id: eventData(event)[projectMember] } } }));
}

export const signalFrame = (type: SignalType, data: Record<string, unknown>): Buffer => encode({ signal: { type, data } });

/** Returns the frame of a local signal, encoded once for all its receivers. */
export function localSignalFrame(localSignal: LocalSignal): Buffer {
  const frame = localSignalFrames.get(localSignal) ?? signalFrame(localSignal.type, localSignal.data);
  localSignalFrames.set(localSignal, frame);
  return frame;
}

/** Returns the parsed frame, or a short error text (a close reason has at most 123 bytes). */
export function parseFrame(text: string): ClientFrame | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "A frame must be JSON.";
  }
  const result = clientFrame.safeParse(value);
  return result.success ? result.data : "A frame must be {subscribe: {topic, since?}}, {unsubscribe: {topic}}, {typing: {project_id}} or {ping: n}.";
}

function framesOf(event: LoggedEvent): EncodedFrames {
  let frames = frameCache.get(event);
  if (!frames) frameCache.set(event, (frames = {}));
  return frames;
}

function encodeEventFrame({ topic, seq, createdAt }: LoggedEvent, type: string, data: string): Buffer {
  const head = JSON.stringify({ topic, seq, type, time: new Date(createdAt).toISOString() });
  // `data` is JSON text already.
  return Buffer.from(`{"event":${head.slice(0, -1)},"data":${data}}}`);
}
