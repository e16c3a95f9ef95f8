import { Fragment, memo, type ReactNode, useMemo } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import { formatDateTime } from "../../lib/time.ts";
import { type TextBlock, type Inline, parse } from "./parse.ts";

export interface TimeLinks {
  /** Returns the name of what plays at this position in seconds; undefined if nothing is that long. */
  nameAt(seconds: number): string | undefined;
  play(seconds: number): void;
}

interface Props {
  body: string;
  mentions?: readonly number[] | undefined;
  nameOf?(accountId: number): string;
  /** Account of the reader, whose mentions are highlighted. */
  readerId?: number;
  /** What times such as `1:23` play; without it, they stay text. */
  times?: TimeLinks | undefined;
  /** Set for an edited message, which shows a note with the time after the last word. */
  edited?: { at: string | null } | undefined;
}

/** Matches up to three emoji and nothing else. */
const LONE_EMOJI = /^\s*(?:\p{RGI_Emoji}\s*){1,3}$/v;
/** UTF-16 units: three of the longest emoji. */
const MAX_LONE_LENGTH = 64;

const LINES = "whitespace-pre-wrap [unicode-bidi:plaintext]";

/** Renders a message's text with line breaks, links and light formatting, never as HTML. Each line has its own text direction. */
export const MessageText = memo(function MessageText({ body, mentions, nameOf, readerId, times, edited }: Props) {
  const parseTimes = times !== undefined;
  const blocks = useMemo(() => parse(body, { mentions: nameOf ? (mentions ?? []) : [], parseTimes }), [body, mentions, nameOf, parseTimes]);
  const renderInlines = (inside: readonly Inline[]): ReactNode[] =>
    inside.map((inline, index) => <Fragment key={index}>{typeof inline === "string" ? inline : renderInline(inline)}</Fragment>);

  const renderInline = (inline: Exclude<Inline, string>): ReactNode => {
    switch (inline.kind) {
      case "bold":
        return <strong className="font-semibold">{renderInlines(inline.inside)}</strong>;
      case "italic":
        return <em>{renderInlines(inline.inside)}</em>;
      case "strike":
        return <s>{renderInlines(inline.inside)}</s>;
      case "code":
        return <code className="rounded-sm bg-hover px-1 py-px font-mono text-sm">{inline.text}</code>;
      case "mention":
        return (
          <bdi className={classNames("rounded-sm px-0.5 font-medium", inline.accountId === readerId ? "bg-accent-soft text-text" : "bg-link/10 text-link")}>
            @{nameOf?.(inline.accountId)}
          </bdi>
        );
      case "time": {
        const name = times?.nameAt(inline.seconds);
        if (name === undefined) return inline.text;
        const label = t("playFrom", { name, time: inline.text });
        return (
          <button
            type="button"
            aria-label={label}
            data-tooltip={label}
            onClick={() => times?.play(inline.seconds)}
            className="-my-0.5 min-h-6 min-w-6 rounded-sm bg-accent-soft px-1 font-medium text-accent-text tabular-nums hover:brightness-110"
          >
            {inline.text}
          </button>
        );
      }
      case "link":
        return (
          <bdi>
            <a href={inline.href} target="_blank" rel="noopener noreferrer nofollow ugc" className="text-link underline-offset-2 hover:underline">
              {inline.text}
            </a>
            {inline.host && <span className="text-text-3"> {t("linkHost", { host: inline.host })}</span>}
          </bdi>
        );
    }
  };

  const editedLabel = edited && (
    <span className="text-xs leading-none whitespace-nowrap text-text-3" title={edited.at === null ? undefined : formatDateTime(edited.at)}>
      {blocks.at(-1)?.kind === "lines" && " "}({t("edited")})
    </span>
  );
  const isLargeEmoji = body.length <= MAX_LONE_LENGTH && LONE_EMOJI.test(body);
  return (
    <div className={classNames("max-w-160 wrap-anywhere", isLargeEmoji && "text-[28px] leading-9")}>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} renderInlines={renderInlines} suffix={index === blocks.length - 1 ? editedLabel : null} />
      ))}
      {blocks.at(-1)?.kind !== "lines" && editedLabel}
    </div>
  );
});

interface BlockViewProps {
  block: TextBlock;
  renderInlines(inside: readonly Inline[]): ReactNode[];
  /** Rendered after the last line. */
  suffix: ReactNode;
}

function BlockView({ block, renderInlines, suffix }: BlockViewProps) {
  switch (block.kind) {
    case "lines":
      return (
        <div dir="auto" className={LINES}>
          {renderInlines(block.inside)}
          {suffix}
        </div>
      );
    case "code":
      return <pre className="my-1 rounded-md border border-line bg-wave-bg px-2.5 py-1.5 font-mono text-sm whitespace-pre-wrap">{block.text}</pre>;
    case "quote":
      return (
        <blockquote dir="auto" className={classNames("mt-0.5 mb-1.5 border-l-2 border-field-line pl-2.5 text-text-2", LINES)}>
          {renderInlines(block.inside)}
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, index) => (
        <li key={index} dir="auto" className={LINES}>
          {renderInlines(item)}
        </li>
      ));
      if (block.first === null) return <ul className="my-0.5 list-disc pl-7">{items}</ul>;
      return (
        <ol start={block.first} className="my-0.5 list-decimal pl-7">
          {items}
        </ol>
      );
    }
  }
}
