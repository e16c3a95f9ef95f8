import { type ReactNode, useState } from "react";
import { t } from "../../../lib/texts/chat.ts";
import { Button } from "../../../ui/Button.tsx";
import { useChat } from "../chat-context.ts";

/** A text with more lines is collapsed; lines are estimated by `CHARACTERS_PER_LINE`, because the real layout is not known. */
const MAX_LINES = 26;
const CHARACTERS_PER_LINE = 85;

interface Props {
  id?: string;
  /** Identifies the message while the chat is open, so that an expanded text stays expanded after its row remounts. */
  messageKey: string;
  body: string;
  children: ReactNode;
}

/** Renders a message's text; a very long one is collapsed behind a button. */
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
        // Expands the text so that a link in the hidden part cannot receive the focus unseen.
        onFocus={() => updateExpanded(true)}
        className={isExpanded ? undefined : "max-h-80 overflow-hidden [mask-image:linear-gradient(to_bottom,black_75%,transparent)]"}
      >
        {children}
      </div>
      <Button
        variant="text"
        size="sm"
        aria-expanded={isExpanded}
        onClick={({ currentTarget }) => {
          updateExpanded(!isExpanded);
          // Scrolls back to the collapsed text, which could otherwise end up far above the view.
          if (isExpanded) requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
        className="mt-1 -ml-2.5"
      >
        {t(isExpanded ? "showLess" : "showAll")}
      </Button>
    </>
  );
}

/** Returns whether a message is collapsed. This depends only on the text, so that the height never changes after rendering. */
export function isLong(body: string): boolean {
  const lineCounts = body.split("\n", MAX_LINES + 1).map((line) => Math.max(1, Math.ceil(line.length / CHARACTERS_PER_LINE)));
  return lineCounts.reduce((sum, count) => sum + count, 0) > MAX_LINES;
}
