import { ChevronDown, Mic } from "lucide-react";
import { useEffect, useState } from "react";
import { inputs, isInput, type Input } from "../../audio/voice/microphone.ts";
import { chooseInput, recorder } from "../../audio/voice/recorder-here.ts";
import { t } from "../../lib/messages/voice.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";

function useInputs(): readonly Input[] {
  const [all, setAll] = useState<readonly Input[]>([]);
  useEffect(() => {
    let here = true;
    const look = () =>
      void inputs().then(
        (found) => here && setAll(found),
        () => undefined,
      );
    look();
    navigator.mediaDevices.addEventListener("devicechange", look);
    return () => {
      here = false;
      navigator.mediaDevices.removeEventListener("devicechange", look);
    };
  }, []);
  return all;
}

/** Which microphone is used; nothing where there is no choice. */
export function InputMenu({
  device,
  current,
  onNext,
}: {
  device: string;
  current: string;
  /** It is used from the next recording on. */ onNext(name: string): void;
}) {
  const all = useInputs();
  if (all.length < 2) return null;
  const isUsed = (input: Input) => isInput(input, { device, input: current });
  const choose = (input: Input) => {
    chooseInput(input.id);
    // What has been heard so far is not thrown away for another microphone.
    if (!isUsed(input) && !recorder.again()) onNext(input.name);
  };
  return (
    <Menu
      label={t("input", { device })}
      align="end"
      triggerClass={`${iconButtonClasses} w-9! gap-0.5`}
      trigger={
        <>
          <Mic size={16} aria-hidden />
          <ChevronDown size={12} aria-hidden />
        </>
      }
    >
      <p className="px-2.5 py-1 text-xs text-text-2">{t("inputs")}</p>
      {all.map((input) => (
        <MenuItem key={input.id} checked={isUsed(input)} onSelect={() => choose(input)}>
          {input.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
