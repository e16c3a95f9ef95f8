/** Shows an image at full size over the page, with keys for the other images of its message. */
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { Dialog } from "react-aria-components/Dialog";
import type { Attachment } from "../../../../contract/records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { ModalFrame } from "../../../ui/Dialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { DownloadLink, FileName } from "./attachment-parts.tsx";

interface Props {
  images: readonly Attachment[];
  currentIndex: number;
  onMove(index: number): void;
  onClose(): void;
}

export function ImageViewer({ images, currentIndex, onMove, onClose }: Props) {
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
              <IconButton label={t("close")} onClick={onClose}>
                <X size={18} aria-hidden />
              </IconButton>
            </header>
            <div className="relative min-h-0 flex-1">
              <FullSizeImage key={image.id} image={image} />
              {images.length > 1 && (
                <>
                  <StepButton label={t("previous")} disabled={index === 0} onClick={() => move(index - 1)} className="left-3">
                    <ChevronLeft size={22} aria-hidden />
                  </StepButton>
                  <StepButton label={t("next")} disabled={index === images.length - 1} onClick={() => move(index + 1)} className="right-3">
                    <ChevronRight size={22} aria-hidden />
                  </StepButton>
                </>
              )}
            </div>
          </FocusScope>
        </div>
      </Dialog>
    </ModalFrame>
  );
}

function StepButton({ className, ...rest }: { label: string; disabled: boolean; onClick(): void; className: string; children: React.ReactNode }) {
  // A disabled button stays focusable, so that the focus is not lost at the first or last image.
  const { disabled, onClick, ...buttonProps } = rest;
  return (
    <IconButton
      {...buttonProps}
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
  if (source === undefined) return <p className="flex size-full items-center justify-center px-6 text-center text-text-2">{t("imageFailed")}</p>;
  return (
    <>
      {!isLoaded && (
        <p role="status" className="absolute inset-0 flex items-center justify-center text-text-2">
          {t("loadingImage")}
        </p>
      )}
      <img
        src={source}
        alt={image.name}
        onLoad={() => setIsLoaded(true)}
        onError={() => setFailedCount(failedCount + 1)}
        className={classNames("size-full object-scale-down p-4", !isLoaded && "opacity-0")}
      />
    </>
  );
}

/** Returns the index that a key leads to among `count` images, or null for other keys. */
export function targetIndex(key: string, index: number, count: number): number | null {
  if (key === "ArrowLeft") return Math.max(0, index - 1);
  if (key === "ArrowRight") return Math.min(count - 1, index + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
