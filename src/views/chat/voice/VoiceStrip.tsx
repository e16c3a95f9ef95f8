/** Replaces the text field during a recording: shows time and level, and offers to cancel. */
import { ChevronDown, Mic, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { type AudioInput, isCurrentInput, listInputs, setPreferredInput } from "../../../audio/recorder/microphone.ts";
import { useRecorder, useRecording } from "../../../audio/recorder/use-recorder.ts";
import type { Recorder } from "../../../audio/recorder/recorder.ts";
import { softCancelReason } from "../../../audio/recorder/recording.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { IconButton, iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem } from "../../../ui/Menu.tsx";
import { isOverlayOpen, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";

/** Distance and width of the level's bars. */
const BAR_SPACING_PX = 4;
const BAR_WIDTH_PX = 2;
/** Exponent that maps levels to perceived loudness, so that a voice fills the height. */
const LOUDNESS_EXPONENT = 0.6;
const DRAW_INTERVAL_MS = 100;
const SLOW_INTERVAL_MS = 500;
/** Number of recent bars whose maximum is the meter's accessible value. */
const ANNOUNCED_BAR_COUNT = 5;

export function VoiceStrip({ onNextInput }: { onNextInput(name: string): void }) {
  const recorder = useRecorder();
  const isRequesting = useRecording(({ phase }) => phase === "requesting");
  const device = useRecording((recording) => recording.device);
  const input = useRecording((recording) => recording.input);
  useDocumentKeydown((event) => {
    // Open popovers and dialogs close first.
    if (event.key !== "Escape" || event.defaultPrevented || isOverlayOpen()) return;
    event.preventDefault();
    recorder.end(softCancelReason(recorder.state()));
  });
  return (
    <div role="group" aria-label={t("recordingControls")} className="flex h-8 min-w-0 flex-1 items-center gap-2 max-tablet:h-9">
      <IconButton label={t("cancel")} icon={Trash2} iconSize={17} className="max-tablet:size-9" onClick={() => recorder.end("canceled")} />
      {isRequesting ? (
        <p className="min-w-0 truncate text-sm text-text-2">{t("allowMicrophone")}</p>
      ) : (
        <>
          <Elapsed />
          <LevelCanvas className="h-8 min-w-0 flex-1 text-accent" />
          <InputMenu device={device} current={input} onNext={onNextInput} />
        </>
      )}
    </div>
  );
}

function Elapsed() {
  const time = useRecording(({ seconds }) => formatPosition(seconds));
  const isRecording = useRecording(({ phase }) => phase === "recording");
  return (
    <span role="timer" aria-label={t("elapsed")} className="tabular flex shrink-0 items-center gap-2 text-sm">
      <span aria-hidden className={classNames("size-2 rounded-full bg-danger", isRecording && "motion-safe:animate-pulse")} />
      {time}
    </span>
  );
}

function useInputs(): readonly AudioInput[] {
  const [availableInputs, setAvailableInputs] = useState<readonly AudioInput[]>([]);
  useEffect(() => {
    let isMounted = true;
    const refresh = () =>
      void listInputs().then(
        (list) => isMounted && setAvailableInputs(list),
        () => undefined,
      );
    refresh();
    navigator.mediaDevices.addEventListener("devicechange", refresh);
    return () => {
      isMounted = false;
      navigator.mediaDevices.removeEventListener("devicechange", refresh);
    };
  }, []);
  return availableInputs;
}

/** Selects the microphone; renders nothing if there is no choice. `onNext` receives the name of an input that is used only from the next recording on. */
function InputMenu({ device, current, onNext }: { device: string; current: string; onNext(name: string): void }) {
  const recorder = useRecorder();
  const availableInputs = useInputs();
  if (availableInputs.length < 2) return null;
  const isUsed = (input: AudioInput) => isCurrentInput(input, { device, input: current });
  const choose = (input: AudioInput) => {
    setPreferredInput(input.id);
    // A recording that contains sound is not discarded for another microphone.
    if (!isUsed(input) && !recorder.restart()) onNext(input.name);
  };
  return (
    <Menu
      label={t("input", { device })}
      align="end"
      triggerClassName={`${iconButtonClasses} w-9! gap-0.5`}
      trigger={
        <>
          <Mic size={16} aria-hidden />
          <ChevronDown size={12} aria-hidden />
        </>
      }
    >
      <MenuGroup label={t("inputs")} showsLabel checked={availableInputs.find(isUsed)?.id}>
        {availableInputs.map((input) => (
          <MenuItem key={input.id} id={input.id} onSelect={() => choose(input)}>
            {input.name}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}

/** Shows the microphone's level over the last seconds as bars that move to the left. */
function LevelCanvas({ className }: { className: string }) {
  const recorder = useRecorder();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    const intervalMs = matchMedia("(prefers-reduced-motion: reduce)").matches ? SLOW_INTERVAL_MS : DRAW_INTERVAL_MS;
    let [drawnAt, announcedAt] = [0, 0];
    const update = () => {
      const now = performance.now();
      if (now - drawnAt >= intervalMs) {
        drawnAt = now;
        draw(element, recorder);
      }
      if (now - announcedAt < SLOW_INTERVAL_MS) return;
      announcedAt = now;
      const percent = Math.round(Math.max(...recorder.recentLevels(ANNOUNCED_BAR_COUNT), 0) * 100);
      element.setAttribute("aria-valuenow", String(percent));
      element.setAttribute("aria-valuetext", t("levelOf", { percent }));
    };
    update();
    return recorder.subscribe(update);
  }, [recorder]);
  return <canvas ref={canvas} role="meter" aria-label={t("level")} aria-valuemin={0} aria-valuemax={100} aria-valuenow={0} className={className} />;
}

function draw(canvas: HTMLCanvasElement, recorder: Recorder): void {
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  const levels = recorder.recentLevels(Math.floor(width / BAR_SPACING_PX));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = BAR_WIDTH_PX;
  context.lineCap = "round";
  context.beginPath();
  for (const [index, level] of levels.entries()) {
    const half = Math.max(0.01, (level ** LOUDNESS_EXPONENT * (height - BAR_WIDTH_PX)) / 2);
    const x = width - (levels.length - index) * BAR_SPACING_PX + BAR_SPACING_PX / 2;
    context.moveTo(x, height / 2 - half);
    context.lineTo(x, height / 2 + half);
  }
  context.stroke();
}
