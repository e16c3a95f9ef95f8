import { useState, type ReactNode } from "react";
import { t } from "../../../lib/messages/chat.ts";
import { isLong } from "../model/long-text.ts";
import { useChatRoom } from "./chat-room.ts";

interface Props {
  id?: string;
  /** Names the message for as long as it is shown; what was unfolded stays unfolded, also when its row is drawn again. */
  messageKey: string;
  body: string;
  children: ReactNode;
}

/** What a message says. A very long one shows its beginning, with the way to the rest. */
export function Words({ id, messageKey, body, children }: Props) {
  const { unfolded } = useChatRoom();
  const [open, setOpen] = useState(() => unfolded.has(messageKey));
  if (!isLong(body)) return <div id={id}>{children}</div>;
  const show = (whole: boolean) => {
    if (whole) unfolded.add(messageKey);
    else unfolded.delete(messageKey);
    setOpen(whole);
  };
  return (
    <>
      <div
        id={id}
        // A link in what is hidden must not get the focus unseen.
        onFocus={() => show(true)}
        className={open ? undefined : "max-h-80 overflow-hidden [mask-image:linear-gradient(to_bottom,black_75%,transparent)]"}
      >
        {children}
      </div>
      <button
        type="button"
        aria-expanded={open}
        onClick={({ currentTarget }) => {
          show(!open);
          // What was read last must not end up far above the view.
          if (open) requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
        className="mt-1 min-h-6 rounded-sm text-sm font-medium text-link underline-offset-2 hover:underline"
      >
        {t(open ? "showLess" : "showAll")}
      </button>
    </>
  );
}
