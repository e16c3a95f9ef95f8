/** Typing finds projects within this long after the last letter, in milliseconds. */
const TYPING_MS = 700;

/** Lets arrow keys move through the rows of the rail, and typing find a project by the beginning of a word. Returns what removes it. */
export function addRailKeys(scroller: HTMLElement): () => void {
  let typed = "";
  let typedAt = 0;
  const focus = (row: HTMLElement | undefined, event: KeyboardEvent) => {
    if (!row) return;
    event.preventDefault();
    event.stopPropagation();
    row.focus();
  };
  const listen = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const rows = [...scroller.querySelectorAll<HTMLElement>("li > a, h2 > button, h2 > a")].filter((row) => row.checkVisibility());
    const index = rows.indexOf(event.target as HTMLElement);
    if (index === -1) return;
    if (event.key === "ArrowDown") focus(rows[index + 1], event);
    else if (event.key === "ArrowUp") focus(rows[index - 1], event);
    else if (event.key === "Home") focus(rows[0], event);
    else if (event.key === "End") focus(rows.at(-1), event);
    else if (/^[\p{L}\p{N}]$/u.test(event.key)) {
      const isContinued = event.timeStamp - typedAt < TYPING_MS;
      typed = (isContinued ? typed : "") + event.key.toLocaleLowerCase();
      typedAt = event.timeStamp;
      // A repeated letter goes on to the next match.
      const start = index + (isContinued && typed.length > 1 ? 0 : 1);
      const matches = ({ textContent }: HTMLElement) => ` ${textContent.toLocaleLowerCase()}`.includes(` ${typed}`);
      focus(
        [...rows.slice(start), ...rows.slice(0, start)].find((row) => row.dataset["project"] !== undefined && matches(row)),
        event,
      );
    }
  };
  scroller.addEventListener("keydown", listen);
  return () => scroller.removeEventListener("keydown", listen);
}
