import { ChevronDown, Mic } from "lucide-react";
import { useEffect, useState } from "react";
import { listInputs, isCurrentInput, type AudioInput } from "../../audio/voice/microphone.ts";
import { setPreferredInput, recorder } from "../../audio/voice/recorder-here.ts";
import { t } from "../../lib/messages/voice.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";

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

/** Selects the microphone; renders nothing if there is no choice. */
export function InputMenu({
  device,
  current,
  onNext,
}: {
  device: string;
  current: string;
  /** Called if the input is used only from the next recording on. */ onNext(name: string): void;
}) {
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
      <p className="px-2.5 py-1 text-xs text-text-2">{t("inputs")}</p>
      {availableInputs.map((input) => (
        <MenuItem key={input.id} checked={isUsed(input)} onSelect={() => choose(input)}>
          {input.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
