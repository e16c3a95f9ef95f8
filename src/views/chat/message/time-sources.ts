/** Finds the audio that a time in a message refers to: the message's own, else that of the message it replies to, else the last above it in the chat. */
import { useMemo } from "react";
import type { Attachment, Message } from "../../../../contract/records.ts";
import { isDeleted } from "../../../queries/files/file-updates.ts";
import type { History } from "../../../queries/messages/history.ts";
import { useMessageAbove, useMessagesById } from "../../../queries/messages/single-messages.ts";

const TIME = /\d:[0-5]\d/;

const isSound = (attachment: Attachment): boolean => (attachment.kind === "audio" || attachment.audio !== undefined) && !isDeleted(attachment);
const hasSound = ({ deleted, attachments }: Message): boolean => !deleted && attachments.some(isSound);
/** A voice note is talk about the audio above it, so times refer to it only beside it and in replies to it. */
const isReferredFromBelow = (message: Message): boolean => !message.is_audio_message && hasSound(message);

export interface TimeSources {
  /** By the id of the message with the time: the message with the audio. */
  sources: ReadonlyMap<number, Message>;
  /** Messages that are replied to and not loaded. */
  missingIds: readonly number[];
  /** The first message whose times refer to audio above it that is not known; null if there is none. */
  firstWithout: Message | null;
}

/**
 * `parents` has the messages that `missingIds` named before, null for one that does not exist; `above` is the last message with audio above the loaded ones,
 * as far as it is known. A time whose audio is unknown yet has no source, so that a link never changes where it leads.
 */
export function findTimeSources(messages: readonly Message[], parents: ReadonlyMap<number, Message | null>, above: Message | null): TimeSources {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const sources = new Map<number, Message>();
  const missingIds = new Set<number>();
  let firstWithout: Message | null = null;
  let last = above;
  for (const message of messages) {
    if (!message.deleted && TIME.test(message.body)) {
      const parentId = message.parent_message_id;
      const parent = parentId === null ? null : (byId.get(parentId) ?? parents.get(parentId));
      if (hasSound(message)) sources.set(message.id, message);
      else if (parent === undefined) missingIds.add(parentId!);
      else if (parent !== null && hasSound(parent)) sources.set(message.id, parent);
      else if (last) sources.set(message.id, last);
      else firstWithout ??= message;
    }
    if (isReferredFromBelow(message)) last = message;
  }
  return { sources, missingIds: [...missingIds], firstWithout };
}

const NO_MESSAGES: readonly Message[] = [];
const NO_PARENTS: ReadonlyMap<number, Message | null> = new Map();

/** Returns the messages with the audio to which the times of a window refer. What is not loaded is requested: one message for each reply, and one above. */
export function useTimeSources(projectId: number, history: History | undefined): ReadonlyMap<number, Message> {
  const messages = history?.messages ?? NO_MESSAGES;
  const loaded = useMemo(() => findTimeSources(messages, NO_PARENTS, null), [messages]);
  const parents = useMessagesById(projectId, loaded.missingIds);
  // Reads all messages again only for what was not loaded.
  const withParents = useMemo(() => (parents.size === 0 ? loaded : findTimeSources(messages, parents, null)), [messages, loaded, parents]);
  const above = useMessageAbove(projectId, history?.hasMoreBefore ? withParents.firstWithout : null, isReferredFromBelow);
  return useMemo(() => (above === null ? withParents : findTimeSources(messages, parents, above)), [messages, withParents, parents, above]).sources;
}
