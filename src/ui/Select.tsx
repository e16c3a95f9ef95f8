import { Check, ChevronDown } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";
import { classNames } from "../lib/class-names.ts";
import { type FieldProps, fieldClasses } from "./Field.tsx";

interface SelectProps<V> extends FieldProps<V> {
  options: readonly (readonly [value: V, label: string])[];
  /** Shows only the value, in the width of its text; the label is read aloud. */
  compact?: boolean;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** A button with a list of options of which one is selected. */
export function Select<V>({
  label,
  hint,
  error,
  labelHidden,
  className,
  aside,
  options,
  value,
  onChange,
  compact = false,
  disabled = false,
  ...rest
}: SelectProps<V>) {
  const isBare = compact && disabled;
  return (
    <AriaSelect
      {...rest}
      {...(compact && { "aria-label": label })}
      isDisabled={disabled}
      isInvalid={error !== undefined}
      placeholder=""
      selectedKey={String(options.findIndex(([option]) => option === value))}
      onSelectionChange={(index) => {
        const next = options[Number(index)]![0];
        if (next !== value) onChange(next);
      }}
      className={classNames("flex min-w-0 flex-col gap-1.5", className)}
    >
      {!compact && (
        <div className={classNames("flex items-baseline justify-between gap-3", labelHidden && "sr-only")}>
          <Label className="min-w-0 text-sm font-medium wrap-anywhere text-text">{label}</Label>
          {aside}
        </div>
      )}
      <Button
        className={classNames(
          fieldClasses(error),
          "flex items-center justify-between gap-2 text-left",
          compact ? "h-8 pr-2 pl-2.5 text-md!" : "h-9 pr-2.5 pl-3",
          isBare && "border-transparent! bg-transparent! text-text-2! opacity-100!",
        )}
      >
        <SelectValue className="min-w-0 truncate" />
        {!isBare && <ChevronDown size={compact ? 14 : 16} aria-hidden className="shrink-0 text-text-2" />}
      </Button>
      {(error ?? hint) !== undefined && (
        <Text slot={error === undefined ? "description" : "errorMessage"} className={error === undefined ? "text-sm text-text-3" : "text-sm text-danger"}>
          {error ?? hint}
        </Text>
      )}
      <Popover
        data-overlay="popover"
        offset={4}
        className="min-w-(--trigger-width) max-w-[calc(100vw-16px)] overflow-y-auto rounded-lg bg-raised p-1 text-text shadow-float"
      >
        <ListBox className="outline-none">
          {options.map(([, text], index) => (
            <ListBoxItem
              key={index}
              id={String(index)}
              textValue={text}
              className="flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded-sm px-2.5 py-1 outline-offset-[-2px] data-focused:bg-hover pointer-coarse:min-h-11"
            >
              {({ isSelected }) => (
                <>
                  <span className="min-w-0 truncate">{text}</span>
                  {isSelected && <Check size={16} aria-hidden className="shrink-0" />}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
