import { useMemo, useRef } from "react";
import { useCommentOutbox } from "../../../queries/comments/use-comments.ts";
import type { Mark } from "../../../queries/drafts/comment-drafts.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";
import { nowOf, type Clock } from "./clock.ts";
import { left, opened, placeOf, ranged, typed } from "./model/moment.ts";

interface Place {
  fileId: number;
  projectId: number;
  accountId: number;
  version: number;
}

/** The composer's words and the moment they are about; sending hands both to the outbox. */
export function useComposing({ fileId, projectId, accountId, version }: Place, clock: Clock | null) {
  const [draft, { now, change, sent }] = useCommentDraft(`file.${fileId}`);
  const { add, stored } = useCommentOutbox();
  const composer = useRef<HTMLTextAreaElement>(null);
  const handle = useMemo(() => {
    const focus = () => {
      composer.current?.focus();
      composer.current?.scrollIntoView({ block: "nearest" });
    };
    return {
      composer,
      typed: (text: string) => change((before) => (clock ? typed(before, text, nowOf(clock)) : { ...before, text })),
      mark: (next: (mark: Mark) => Mark) => change((before) => ({ ...before, mark: next(before.mark) })),
      left: () => change(left),
      compose() {
        if (clock) change((before) => opened(before, nowOf(clock)));
        focus();
      },
      composeRange(from: number, to: number) {
        change((before) => ({ ...before, mark: ranged(from, to) }));
        focus();
      },
      put: (text: string, mark: Mark) => {
        change((before) => ({ text: before.text === "" ? text : `${text}\n${before.text}`, mark }));
        focus();
      },
      /** Answers its place in the list. */
      send(body: string): string {
        const { at, end } = clock ? placeOf(now().mark, clock.state().position, clock.duration * 1_000) : { at: null, end: null };
        const comment = { fileId, version, at, end, parentId: null };
        const { clientId } = add({ projectId, accountId, body, uploads: [], quote: null, comment });
        sent(stored(clientId));
        return `${accountId}:${clientId}`;
      },
    };
  }, [fileId, projectId, accountId, version, clock, now, change, sent, add, stored]);
  return { draft, ...handle };
}
