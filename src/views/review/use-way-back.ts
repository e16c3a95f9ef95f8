import { type MouseEvent, useState } from "react";
import { useNavigate } from "react-router";

/** Returns the position of the current entry in this tab's history, which the router records. */
const historyIndex = (): number => (history.state as { idx?: number } | null)?.idx ?? 0;

/**
 * Returns the click handler of a page's back link: it leads to where the page was opened from, past its own entries (versions, comments), and restores
 * that page's position. Without such a page, the link's own address is followed.
 */
export function useWayBack(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  const [firstIndex] = useState(historyIndex);
  return (event) => {
    if (firstIndex === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(firstIndex - 1 - historyIndex());
  };
}
