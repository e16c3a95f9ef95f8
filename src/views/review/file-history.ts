/** Leads from a file's page back to the page before it, past the page's own history entries: its versions and comments. */
import { type MouseEvent, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

/** State of a history entry. The router writes `idx`, the entry's position in this tab's history; `fileStart` is the position of the page's first entry. */
interface EntryState {
  idx?: number;
  fileStart?: number;
}

const readEntry = (): EntryState => (history.state as EntryState | null) ?? {};

/** Returns the position of the page's first entry: the recorded one, or else the first one that this page has seen. */
export const findFileStart = ({ idx = 0, fileStart }: EntryState, seenStart = idx): number => Math.min(fileStart ?? seenStart, idx);

/** Returns how far to go back to the page that the file was opened from; null if there is none in this tab. */
export function stepsBack(entry: EntryState): number | null {
  const start = findFileStart(entry);
  return start === 0 ? null : start - 1 - (entry.idx ?? 0);
}

/** Records the position of the page's first entry in each of its entries, where it survives a reload and a return. Render once per file. */
export function useFileHistory(): void {
  const { key } = useLocation();
  const start = useRef<number>(undefined);
  useEffect(() => {
    const entry = readEntry();
    start.current = findFileStart(entry, start.current);
    if (entry.fileStart !== start.current) history.replaceState({ ...entry, fileStart: start.current }, "");
  }, [key]);
}

/** Returns the click handler of the page's back link, which restores the position of the page before. Without such a page, the link's address is followed. */
export function useBackClick(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const steps = stepsBack(readEntry());
    if (steps === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(steps);
  };
}
