import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/profile.ts";
import { useSetAvatar } from "../../../queries/account.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { type Crop, createCrop, MAX_ZOOM, moveCrop, zoomCrop, zoomOf } from "./crop.ts";

/** CSS pixels. */
const VIEW_SIDE = 256;
/** Pixels of the picture that is sent, the largest size that the service stores. */
const SENT_SIDE = 512;
/** CSS pixels that an arrow key moves the picture, alone and with Shift. */
const STEP = 8;
const LARGE_STEP = 40;
const ZOOM_STEP = 1.1;
const QUALITY = 0.92;

const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

interface Props {
  /** A picture that the browser has loaded. */
  image: HTMLImageElement;
  onSaved(): void;
  onClose(): void;
}

/** Lets the user choose the square of a picture by pointer or keys, and uploads it. */
export function CropDialog({ image, onSaved, onClose }: Props) {
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const [crop, setCrop] = useState(() => createCrop(size));
  const upload = useSetAvatar();
  const scale = VIEW_SIDE / crop.side;
  const view = useRef<HTMLDivElement>(null);
  // Follows the pointer: dragging the picture to the right moves the square to the left.
  const drag = (dx: number, dy: number) =>
    setCrop((previous) => moveCrop(size, previous, (-dx * previous.side) / VIEW_SIDE, (-dy * previous.side) / VIEW_SIDE));
  const zoom = (factor: number) => setCrop((previous) => zoomCrop(size, previous, zoomOf(size, previous) * factor));

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
  });
  useEffect(() => {
    const element = view.current!;
    const handler = (event: WheelEvent) => onWheel(event);
    // React's own listener is passive and could not keep the dialog from scrolling.
    element.addEventListener("wheel", handler, { passive: false });
    return () => element.removeEventListener("wheel", handler);
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    const arrow = ARROWS[event.key];
    const step = event.shiftKey ? LARGE_STEP : STEP;
    if (arrow) drag(arrow[0] * step, arrow[1] * step);
    else if (event.key === "+" || event.key === "=") zoom(ZOOM_STEP);
    else if (event.key === "-") zoom(1 / ZOOM_STEP);
    else return;
    event.preventDefault();
  }

  async function save() {
    try {
      await upload.mutateAsync(await cutOut(image, crop));
    } catch {
      // The notice shows the error.
      return;
    }
    onSaved();
  }

  return (
    <Dialog title={t("cropTitle")} description={t("cropHelp")} onClose={onClose} width="sm">
      <ErrorNotice error={upload.error} className="mb-4" />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application handles keys itself */}
      <div
        ref={view}
        role="application"
        aria-label={t("cropArea")}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys move the picture
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event: PointerEvent) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event: PointerEvent) => event.currentTarget.hasPointerCapture(event.pointerId) && drag(event.movementX, event.movementY)}
        className="relative mx-auto size-64 cursor-grab touch-none overflow-hidden rounded-lg bg-bg select-none active:cursor-grabbing"
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className="pointer-events-none absolute top-0 left-0 max-w-none origin-top-left"
          style={{
            width: size.width * scale,
            height: size.height * scale,
            transform: `translate(${-crop.left * scale}px, ${-crop.top * scale}px)`,
          }}
        />
        {/* Darkens what the round picture does not show. */}
        <span aria-hidden className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_999px_rgb(0_0_0/0.55)]" />
      </div>
      <label className="mt-4 flex items-center gap-3 text-sm">
        <span>{t("zoom")}</span>
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.01}
          value={zoomOf(size, crop)}
          onChange={(event) => setCrop(zoomCrop(size, crop, Number(event.target.value)))}
          className="h-6 min-w-0 flex-1 cursor-pointer accent-accent"
        />
      </label>
      <DialogActions>
        <Button onClick={onClose}>{tCommon("cancel")}</Button>
        <Button variant="primary" pending={upload.isPending} onClick={() => void save()}>
          {t("save")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Returns the square as a picture of its own. */
function cutOut(image: HTMLImageElement, { left, top, side }: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = SENT_SIDE;
  canvas.height = SENT_SIDE;
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, left, top, side, side, 0, 0, SENT_SIDE, SENT_SIDE);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser could not encode the picture"))), "image/webp", QUALITY),
  );
}
