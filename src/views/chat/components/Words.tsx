import { useState, type ReactNode } from "react";
import { t } from "../../../lib/messages/chat.ts";
import { isLong } from "../model/long-text.ts";
import { useChat } from "./chat-room.ts";

interface Props {
  id?: string;
  /** Names the message for as long as it is shown; what was unfolded stays unfolded, also when its row is drawn again. */
  messageKey: string;
  body: string;
  children: ReactNode;
}

/** What a message says. A very long one shows its beginning, with the way to the rest. */
export function CollapsibleText({ id, messageKey, body, children }: Props) {
  const { expandedMessages } = useChat();
  const [isExpanded, setIsExpanded] = useState(() => expandedMessages.has(messageKey));
  if (!isLong(body)) return <div id={id}>{children}</div>;
  const updateExpanded = (expanded: boolean) => {
    if (expanded) expandedMessages.add(messageKey);
    else expandedMessages.delete(messageKey);
    setIsExpanded(expanded);
  };
  return (
    <>
      <div
        id={id}
        // A link in what is hidden must not get the focus unseen.
        onFocus={() => updateExpanded(true)}
        className={isExpanded ? undefined : "max-h-80 overflow-hidden [mask-image:linear-gradient(to_bottom,black_75%,transparent)]"}
      >
        {children}
      </div>
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={({ currentTarget }) => {
          updateExpanded(!isExpanded);
          // What was read last must not end up far above the view.
          if (isExpanded) requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
        className="mt-1 min-h-6 rounded-sm text-sm font-medium text-link underline-offset-2 hover:underline"
      >
        {t(isExpanded ? "showLess" : "showAll")}
      </button>
    </>
  );
}
