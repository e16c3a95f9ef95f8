/** Frames as they cross the wire: each event is written once, whoever receives it. */
import { WITHHELD, clientFrame, type ClientFrame, type ProjectActivity, type ServerFrame } from "../../../contract/events.ts";
import type { Happening, Hint } from "./feed.ts";

export const encode = (frame: ServerFrame): Buffer => Buffer.from(JSON.stringify(frame));

interface Written {
  data?: Record<string, unknown>;
  event?: Buffer;
  withheld?: Buffer;
  activity?: Buffer;
  change?: Buffer;
}
const written = new WeakMap<Happening, Written>();
function of(happening: Happening): Written {
  let parts = written.get(happening);
  if (!parts) written.set(happening, (parts = {}));
  return parts;
}

function eventFrame({ topic, seq, createdAt }: Happening, type: string, data: string): Buffer {
  const head = JSON.stringify({ topic, seq, type, time: new Date(createdAt).toISOString() });
  // The data is JSON text already.
  return Buffer.from(`{"event":${head.slice(0, -1)},"data":${data}}}`);
}

export const eventOf = (happening: Happening): Buffer => (of(happening).event ??= eventFrame(happening, happening.type, happening.data));
/** Keeps the place in the order and says nothing. Clients pass over the type as over any they do not know. */
export const withheldOf = (happening: Happening): Buffer => (of(happening).withheld ??= eventFrame(happening, WITHHELD, "{}"));

export const dataOf = (happening: Happening): Record<string, unknown> => (of(happening).data ??= JSON.parse(happening.data) as Record<string, unknown>);

/** The signal that goes with a new message. */
export function activityOf(happening: Happening): Buffer {
  return (of(happening).activity ??= (() => {
    const { id, chat_id, account_id, mentions } = dataOf(happening) as { id: number; chat_id: number; account_id: number; mentions?: number[] };
    const data: ProjectActivity = { project_id: chat_id, message_id: id, account_id, mentions: mentions ?? [] };
    return encode({ signal: { type: "project.activity", data } });
  })());
}

/** The signal that goes with a project's new name, description or group. */
export function changeOf(happening: Happening): Buffer {
  return (of(happening).change ??= encode({ signal: { type: "project.changed", data: { project_id: dataOf(happening)["id"] } } }));
}

export const signalFrame = (type: string, data: Record<string, unknown>): Buffer => encode({ signal: { type, data } });

const hints = new WeakMap<Hint, Buffer>();
/** A hint as it is sent, written once for all who hear it. */
export function hintOf(hint: Hint): Buffer {
  const known = hints.get(hint) ?? signalFrame(hint.type, hint.data);
  hints.set(hint, known);
  return known;
}

/** The frame, or what is wrong with it in a few words (a close reason has at most 123 bytes). */
export function readFrame(text: string): ClientFrame | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "A frame must be JSON.";
  }
  const result = clientFrame.safeParse(value);
  return result.success ? result.data : "A frame must be {subscribe: {topic, since?}}, {unsubscribe: {topic}}, {typing: {project_id}} or {ping: n}.";
}
