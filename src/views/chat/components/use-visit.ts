import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project } from "../../../../contract/records.ts";
import { lacksMessage } from "../../../queries/messages/history.ts";
import { useShown } from "../../../queries/messages/use-change-messages.ts";
import { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { nextVisit, openingOf } from "../model/opening.ts";
import { useAddress } from "./use-address.ts";

/** Where one stands in a chat and what is loaded around it; the ways to other places in it and back. */
export function useVisit(project: Project, messageId: number | null) {
  const navigate = useNavigate();
  const { search, state: arrived } = useLocation();
  const address = useAddress();
  /** Where one read when one went away from an address of this chat. */
  const [stands] = useState(() => new Map<string, number>());
  const [visit, setVisit] = useState(() => ({ ...openingOf(project, messageId), address }));
  const stretch = useMessageHistory(project.id, visit.anchor);
  const history = useShown(stretch.history);
  if (visit.address !== address) setVisit({ ...nextVisit(visit, history, stands.get(address) ?? messageId), address });

  const here = useRef(address);
  useEffect(() => {
    here.current = address;
  });
  const go = useCallback(
    (id: number, state?: object) => void navigate(`/projects/${project.id}/chat/${id}${search}`, { state }),
    [navigate, project.id, search],
  );
  const jump = useCallback(
    (id: number, from: number) => {
      stands.set(here.current, from);
      go(id, { jumped: true });
    },
    [go, stands],
  );
  return {
    visit,
    stretch,
    history,
    /** The address names a message that is not there. */
    missing: history !== undefined && visit.place.at === "message" && lacksMessage(history, visit.place.id),
    /** Where one reads: the way back to this address leads there. */
    stand: (id: number | null) => void (id === null ? stands.delete(address) : stands.set(address, id)),
    /** To a message. */
    go,
    /** To a message, from another one: the way back leads there. */
    jump,
    toEnd() {
      if (history?.hasMoreAfter && visit.anchor === "latest") stretch.restart();
      if (messageId !== null) void navigate(`/projects/${project.id}/chat${search}`);
      else setVisit({ ...nextVisit(visit, history, null), address });
    },
    /** Null for who did not come by a quote. */
    back: isJump(arrived) ? () => void navigate(-1) : null,
  };
}

const isJump = (state: unknown): boolean => typeof state === "object" && state !== null && "jumped" in state;
