import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { IconButton } from "./IconButton.tsx";
import { TextField } from "./Field.tsx";

type Props = Omit<ComponentProps<typeof TextField>, "type" | "end"> & { showLabel: string; hideLabel: string };

/** A password field with a button that reveals the text. */
export function PasswordField({ showLabel, hideLabel, ...rest }: Props) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      type={isVisible ? "text" : "password"}
      end={
        <IconButton label={isVisible ? hideLabel : showLabel} className="size-7" onClick={() => setIsVisible(!isVisible)}>
          {isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </IconButton>
      }
    />
  );
}
