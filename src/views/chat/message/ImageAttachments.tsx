import { ImageOff } from "lucide-react";
import { useState } from "react";
import type { Attachment } from "../../../../contract/records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { AttachedStatus, DownloadLink, FileName, FileState, isProcessingOrFailed } from "./attachment-parts.tsx";
import { ImageViewer } from "./ImageViewer.tsx";

interface Props {
  attachments: readonly Attachment[];
}

/** Shows images that were sent together side by side; each opens in the viewer with the others. */
export function ImageAttachments({ attachments }: Props) {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const isSingle = attachments.length === 1;
  return (
    <div className="flex flex-wrap gap-2">
      {attachments.map((attachment, index) => (
        <Tile key={attachment.id} attachment={attachment} isSingle={isSingle} onOpen={() => setOpenIndex(index)} />
      ))}
      {openIndex !== null && <ImageViewer images={attachments} currentIndex={openIndex} onMove={setOpenIndex} onClose={() => setOpenIndex(null)} />}
    </div>
  );
}

/** Shows one image; the tile's height is the same before and after the image loads. */
function Tile({ attachment, isSingle, onOpen }: { attachment: Attachment; isSingle: boolean; onOpen(): void }) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const thumbnailUrl = attachment.thumbnail === "" ? undefined : attachment.thumbnail;
  const hasThumbnail = thumbnailUrl !== undefined && brokenUrl !== thumbnailUrl;
  return (
    <figure className={classNames("relative flex flex-col gap-1", isSingle ? "max-w-full min-w-50" : "w-44 max-tablet:w-[calc(50%-4px)]")}>
      {isProcessingOrFailed(attachment) ? (
        <FileState
          attachment={attachment}
          className={classNames("rounded-lg border border-line bg-wave-bg px-3", isSingle ? "h-56 w-80 max-w-full max-tablet:h-44" : "h-32")}
        />
      ) : (
        <button
          type="button"
          aria-label={t("viewImage", { name: attachment.name })}
          onClick={onOpen}
          className={classNames(
            "flex items-center justify-center overflow-hidden rounded-lg border border-line bg-wave-bg",
            isSingle ? "h-56 max-w-full min-w-50 self-start max-tablet:h-44" : "h-32",
          )}
        >
          {hasThumbnail ? (
            <img
              src={thumbnailUrl}
              alt=""
              decoding="async"
              onError={() => setBrokenUrl(thumbnailUrl)}
              className={isSingle ? "h-full w-auto max-w-full object-contain" : "size-full object-cover"}
            />
          ) : (
            <span className="flex items-center gap-2 px-3 text-sm text-text-2">
              <ImageOff size={18} aria-hidden />
              {t("noPreview")}
            </span>
          )}
        </button>
      )}
      {/* The status overlays the image, because a tile is too narrow to show it beside the name. */}
      <AttachedStatus status={attachment.status} className="pointer-events-none absolute top-2 left-2 max-w-[calc(100%-16px)] rounded-full bg-bg" />
      <figcaption className="flex h-8 min-w-0 items-center gap-1 text-sm">
        <FileName attachment={attachment} className="flex-1" />
        <DownloadLink attachment={attachment} />
      </figcaption>
    </figure>
  );
}
