import { useEffect, useEffectEvent, useState } from "react";

/** What has not come back after so long was refused or overtaken, in milliseconds. */
const ECHO_MS = 10_000;

/**
 * What is typed into a field while its value follows a little later, in milliseconds. A value that changes elsewhere is shown at once.
 * `commit` takes over what stands there now, and so does leaving the page's part in which the field is.
 */
export function useTyped(value: string, onValue: (text: string) => void, ms: number) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // What was told and has not come back yet: it comes back later, and must not undo what has been typed since.
  const [told, setTold] = useState<readonly string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const at = told.indexOf(value);
    // What somebody else has set has overtaken all that was told.
    setTold(at < 0 ? [] : told.slice(at + 1));
    if (at < 0) setText(value);
  }
  const last = told.at(-1) ?? value;
  const tell = (now: string) => {
    if (now.trim() === last.trim()) return;
    setTold([...told, now.trim()]);
    onValue(now.trim());
  };
  const later = useEffectEvent(() => tell(text));
  useEffect(() => {
    const timer = setTimeout(() => later(), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  useEffect(() => () => later(), []);
  useEffect(() => {
    if (told.length === 0) return;
    const timer = setTimeout(() => setTold([]), ECHO_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return {
    text,
    setText,
    commit(now = text) {
      setText(now);
      tell(now);
    },
  };
}
