import { t } from "../lib/messages/chat.ts";
import { useSegments } from "./use-segments.ts";

/** A message's text: never HTML, with its line breaks and links. Each line reads in its own direction. */
export function MessageText({ body }: { body: string }) {
  const segments = useSegments(body);
  return (
    <div dir="auto" className="max-w-160 whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
      {segments.map((segment, index) =>
        "href" in segment ? (
          <bdi key={index}>
            <a href={segment.href} target="_blank" rel="noopener noreferrer nofollow ugc" className="text-link underline-offset-2 hover:underline">
              {segment.text}
            </a>
            {segment.host && <span className="text-text-3"> {t("leadsTo", { host: segment.host })}</span>}
          </bdi>
        ) : (
          segment.text
        ),
      )}
    </div>
  );
}
