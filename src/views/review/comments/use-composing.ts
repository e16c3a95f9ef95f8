import { useMemo, useRef } from "react";
import { useCommentOutbox } from "../../../queries/comments/use-comments.ts";
import type { Mark, Written } from "../../../queries/drafts/comment-drafts.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";
import { nowOf, type Clock } from "./clock.ts";
import { joined, left, opened, placeOf, ranged, stamped, typed, versionOf } from "./model/moment.ts";
import { placeWords } from "./words.ts";

interface Place {
  fileId: number;
  projectId: number;
  accountId: number;
  version: number;
}

/** The composer's words and the moment they are about; sending hands both to the outbox. */
export function useComposing({ fileId, projectId, accountId, version }: Place, clock: Clock | null) {
  const [draft, { now, change: put, sent }] = useCommentDraft(`file.${fileId}`);
  const { add, stored } = useCommentOutbox();
  const composer = useRef<HTMLTextAreaElement>(null);
  const handle = useMemo(() => {
    const change = (next: (before: Written) => Written) => put((before) => stamped(before, next(before), version));
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
      /** What was on its way comes back, with its place. */
      put: (text: string, mark: Mark) => {
        put((before) => joined(before, { text, mark }, mark.kind === "at" ? placeWords(mark.at, mark.end) : null));
        focus();
      },
      /** Answers its place in the list. */
      send(body: string): string {
        const { mark } = now();
        const meant = versionOf(mark, version);
        // How long another version is only the service knows; what has no time now has none but what was chosen.
        const length = clock && meant === version ? clock.duration * 1_000 : 0;
        const { at, end } = clock || mark.kind === "at" ? placeOf(mark, clock?.state().position ?? 0, length) : { at: null, end: null };
        const comment = { fileId, version: meant, at, end, parentId: null };
        const { clientId } = add({ projectId, accountId, body, uploads: [], quote: null, comment });
        sent(stored(clientId));
        return `${accountId}:${clientId}`;
      },
    };
  }, [fileId, projectId, accountId, version, clock, now, put, sent, add, stored]);
  return { draft, ...handle };
}
