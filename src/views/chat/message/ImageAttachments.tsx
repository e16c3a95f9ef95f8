import { ImageOff, ChevronLeft, ChevronRight } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { FocusScope } from "react-aria/FocusScope";
import type { Attachment } from "../../../../contract/records.ts";
import { MediaImage, useMediaUrl } from "../../../components/MediaImage.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { ModalFrame } from "../../../ui/Dialog.tsx";
import { CloseButton, IconButton } from "../../../ui/IconButton.tsx";
import { AttachedStatus, DownloadLink, FileName, FileState, isProcessingOrFailed } from "./attachment-parts.tsx";

/** Shows images that were sent together side by side; each opens in the viewer with the others. */
export function ImageAttachments({ attachments }: { attachments: readonly Attachment[] }) {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const isSingle = attachments.length === 1;
  return (
    <div className={classNames("grid gap-2", !isSingle && (attachments.length === 2 ? "grid-cols-2" : "grid-cols-2 tablet:grid-cols-3"))}>
      {attachments.map((attachment, index) => (
        <Tile key={attachment.id} attachment={attachment} isSingle={isSingle} onOpen={() => setOpenIndex(index)} />
      ))}
      {openIndex !== null && <ImageViewer images={attachments} currentIndex={openIndex} onMove={setOpenIndex} onClose={() => setOpenIndex(null)} />}
    </div>
  );
}

/** Shows one image; the tile's height is the same before and after the image loads. */
function Tile({ attachment, isSingle, onOpen }: { attachment: Attachment; isSingle: boolean; onOpen(): void }) {
  return (
    <figure className={"relative flex min-w-0 flex-col gap-1"}>
      {isProcessingOrFailed(attachment) ? (
        <FileState
          attachment={attachment}
          className={classNames("rounded-lg border border-line bg-wave-bg px-3", isSingle ? "h-56 max-tablet:h-44" : "h-32")}
        />
      ) : (
        <button
          type="button"
          aria-label={t("viewImage", { name: attachment.name })}
          onClick={onOpen}
          className={classNames(
            "flex items-center justify-center overflow-hidden rounded-lg border border-line bg-wave-bg",
            isSingle ? "h-56 max-tablet:h-44" : "h-32",
          )}
        >
          <MediaImage
            url={attachment.thumbnail}
            alt=""
            decoding="async"
            className={isSingle ? "h-full w-auto max-w-full object-contain" : "size-full object-cover"}
            fallback={
              <span className="flex items-center gap-2 px-3 text-sm text-text-2">
                <ImageOff size={18} aria-hidden />
                {t("noPreview")}
              </span>
            }
          />
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

interface ViewerProps {
  images: readonly Attachment[];
  currentIndex: number;
  onMove(index: number): void;
  onClose(): void;
}

function ImageViewer({ images, currentIndex, onMove, onClose }: ViewerProps) {
  const index = Math.min(currentIndex, images.length - 1);
  const image = images[index];
  const move = (to: number | null) => to !== null && to !== index && onMove(to);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = targetIndex(event.key, index, images.length);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(to);
  };
  if (!image) return null;
  return (
    <ModalFrame onClose={onClose} className="size-full">
      <Dialog aria-label={image.name} className="size-full outline-none">
        <div role="none" onKeyDown={onKeyDown} className="flex size-full flex-col">
          <FocusScope autoFocus>
            <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4">
              <FileName attachment={image} />
              {images.length > 1 && (
                <span role="status" className="tabular shrink-0 text-sm text-text-2">
                  {t("imageOf", { index: index + 1, count: images.length })}
                </span>
              )}
              <span className="flex-1" />
              <DownloadLink attachment={image} />
              <CloseButton label={t("close")} onClick={onClose} />
            </header>
            <div className="relative min-h-0 flex-1">
              <FullSizeImage key={image.id} image={image} />
              {images.length > 1 && (
                <>
                  <StepButton label={t("previous")} icon={ChevronLeft} disabled={index === 0} onClick={() => move(index - 1)} className="left-3" />
                  <StepButton
                    label={t("next")}
                    icon={ChevronRight}
                    disabled={index === images.length - 1}
                    onClick={() => move(index + 1)}
                    className="right-3"
                  />
                </>
              )}
            </div>
          </FocusScope>
        </div>
      </Dialog>
    </ModalFrame>
  );
}

/** A disabled button stays focusable, so that the focus is not lost at the first or last image. */
function StepButton({ disabled = false, className, onClick, ...rest }: ComponentProps<typeof IconButton>) {
  return (
    <IconButton
      {...rest}
      iconSize={22}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={classNames(
        "absolute top-1/2 size-11 -translate-y-1/2 rounded-full bg-raised shadow-float",
        disabled && "cursor-not-allowed opacity-40",
        className,
      )}
    />
  );
}

/** Shows the original image, or a smaller copy if the browser cannot display the original. */
function FullSizeImage({ image }: { image: Attachment }) {
  const sources = [image.url, image.compressed_file_url, image.thumbnail].filter((url): url is string => Boolean(url));
  const [failedCount, setFailedCount] = useState(0);
  const [isLoaded, setIsLoaded] = useState(false);
  const source = sources[failedCount];
  const { src, isBroken, onError } = useMediaUrl(source);
  if (isBroken) setFailedCount(failedCount + 1);
  if (source === undefined) return <p className="flex size-full items-center justify-center px-6 text-center text-text-2">{t("imageFailed")}</p>;
  return (
    <>
      {!isLoaded && (
        <p role="status" className="absolute inset-0 flex items-center justify-center text-text-2">
          {t("loadingImage")}
        </p>
      )}
      <img
        src={src}
        alt={image.name}
        onLoad={() => setIsLoaded(true)}
        onError={onError}
        className={classNames("size-full object-scale-down p-4", !isLoaded && "opacity-0")}
      />
    </>
  );
}

/** Returns the index that a key leads to among `count` images, or null for other keys. */
export function targetIndex(key: string, index: number, count: number): number | null {
  const last = count - 1;
  return { ArrowLeft: Math.max(0, index - 1), ArrowRight: Math.min(last, index + 1), Home: 0, End: last }[key] ?? null;
}
