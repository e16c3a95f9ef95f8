import { useEffect, useEffectEvent, useState } from "react";

/**
 * What is typed into a field while its value follows a little later, in milliseconds. A value that changes elsewhere is shown at once.
 * `commit` takes over what stands there now.
 */
export function useTyped(value: string, onValue: (text: string) => void, ms: number) {
  const [text, setText] = useState(value);
  // What was told last: what comes back of it must not undo what has been typed since.
  const [told, setTold] = useState(value);
  if (value !== told) {
    setTold(value);
    setText(value);
  }
  const tell = useEffectEvent(() => {
    if (text.trim() === value.trim()) return;
    setTold(text.trim());
    onValue(text.trim());
  });
  useEffect(() => {
    const timer = setTimeout(() => tell(), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return {
    text,
    setText,
    commit(now = text) {
      setText(now);
      setTold(now.trim());
      if (now.trim() !== value.trim()) onValue(now.trim());
    },
  };
}
