import { useCallback, useEffect, useMemo, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import { t } from "../../../lib/messages/comments.ts";
import { answerDraft } from "../../../queries/drafts/use-comment-draft.ts";
import { usePeople } from "../../../queries/members/use-people.ts";
import { isMissing } from "../../../queries/problems.ts";
import { useRights } from "../../../queries/session/use-rights.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { announce } from "../../../ui/announce.ts";
import { startOf } from "../model/info.ts";
import type { Clock } from "./clock.ts";
import { CommentsContext, type CommentsRoom } from "./comments-room.ts";
import { rightsOver } from "./model/rights.ts";
import type { Note } from "./model/threads.ts";
import { reveal } from "./reveal.ts";
import { useCommentActs } from "./use-comment-acts.ts";
import { useComposing } from "./use-composing.ts";
import { useHands } from "./use-hands.ts";
import { useThreads } from "./use-threads.ts";

interface Props {
  fileId: number;
  projectId: number;
  version: number;
  /** null: the file has no time, or it is not known yet. */
  clock: Clock | null;
  children: ReactNode;
}

/** Everything below it shows the comments of one file. */
export function CommentsProvider({ fileId, projectId, version, clock, children }: Props) {
  const { account, role } = useSession();
  const { manages } = useRights();
  const accountId = account.id;
  const people = usePeople(projectId);
  const hands = useHands(fileId);
  const { hold, linked, target, comments: loaded, lastRead, pending, ...list } = useThreads(fileId, projectId, accountId, hands);
  const { put, send, ...composing } = useComposing({ fileId, projectId, accountId, version }, clock);
  const answer = useCallback((commentId: number, text: string) => answerDraft(accountId, commentId, text), [accountId]);
  const { selected, select, reached, reach, replying, editing } = hands;
  const act = useCommentActs({
    fileId,
    projectId,
    accountId,
    clock,
    threads: list.threads,
    hands,
    hold,
    compose: put,
    answer,
  });

  // A link leads to its comment once: what is done afterwards is not undone by it.
  const { key, state, search } = useLocation();
  const followed = useRef<string | null>(null);
  // What has no time as it is shown now may get one.
  const sought = useRef(false);
  const hasPosition = startOf(new URLSearchParams(search)) !== null;
  const keeps = (state as { keepPosition?: boolean } | null)?.keepPosition === true;
  const targetKey = target?.key;
  const targetAt = target?.at ?? null;
  useEffect(() => {
    const wish = `${key} ${linked}`;
    if (targetKey === undefined || keeps) return;
    if (followed.current !== wish) {
      followed.current = wish;
      // The address may lose it: its row stays.
      hold(targetKey);
      select(targetKey);
      reveal(targetKey);
      sought.current = hasPosition;
    }
    if (sought.current || targetAt === null || !clock) return;
    sought.current = true;
    clock.seek(targetAt / 1_000);
  }, [key, keeps, linked, targetKey, targetAt, hasPosition, clock, hold, select]);

  useSpoken(loaded, accountId, pending.filter((entry) => entry.state === "failed").length);

  const personOf = useCallback(
    ({ accountId: id, comment }: Note) => people(id) ?? { name: comment?.account.username ?? t("formerMember"), avatarUrl: null },
    [people],
  );
  const room: CommentsRoom = {
    fileId,
    projectId,
    version,
    clock,
    accountId,
    ...list,
    ...composing,
    linkedId: linked,
    lastRead,
    selected,
    reached,
    reach,
    replying,
    edits: editing.edits,
    rightsOf: useMemo(() => (note) => rightsOver(note, { accountId, manages, isGuest: role === "guest" }), [accountId, manages, role]),
    personOf,
    send: (body) => select(send(body)),
    act,
  };
  // A service that knows no comments shows nothing of them.
  const isOff = list.threads === undefined && isMissing(list.error);
  return <CommentsContext value={isOff ? null : room}>{children}</CommentsContext>;
}

/** Reads out what others write meanwhile, and that something was not sent. */
function useSpoken(
  comments: readonly { id: number; account_id: number; account: { username: string }; body: string }[] | undefined,
  accountId: number,
  failed: number,
): void {
  const newest = useRef<number | null>(null);
  useEffect(() => {
    if (!comments) return;
    const before = newest.current;
    const last = comments.at(-1);
    newest.current = last?.id ?? 0;
    if (before === null || !last || last.id <= before || last.account_id === accountId) return;
    announce(t("said", { name: last.account.username, text: last.body }));
  }, [comments, accountId]);
  const failedBefore = useRef(failed);
  useEffect(() => {
    if (failed > failedBefore.current) announce(t("failedSpoken"));
    failedBefore.current = failed;
  }, [failed]);
}
