import { X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Button, Input, Label, SearchField as AriaSearchField, type SearchFieldProps, Text } from "react-aria-components/SearchField";
import { classNames } from "../lib/class-names.ts";
import { fieldClasses } from "./Field.tsx";
import { iconButtonClasses } from "./IconButton.tsx";

interface Props extends Omit<SearchFieldProps, "children" | "className"> {
  label: string;
  labelHidden?: boolean;
  hint?: ReactNode;
  placeholder?: string;
  value: string;
  inputRef?: Ref<HTMLInputElement>;
  className?: string;
}

/** A search field with a button that clears it, as Escape does. */
export function SearchField({ label, labelHidden = false, hint, placeholder, inputRef, className, ...rest }: Props) {
  return (
    <AriaSearchField autoComplete="off" enterKeyHint="search" {...rest} className={classNames("flex flex-col gap-1.5", className)}>
      <Label className={labelHidden ? "sr-only" : "text-sm font-medium"}>{label}</Label>
      <div className="relative flex items-center">
        <Input
          ref={inputRef}
          data-search-field
          placeholder={placeholder}
          className={`${fieldClasses()} h-9 pr-10 pl-3 [&::-webkit-search-cancel-button]:hidden`}
        />
        {rest.value !== "" && (
          <Button className={`${iconButtonClasses} absolute right-1 size-7!`}>
            <X size={16} aria-hidden />
          </Button>
        )}
      </div>
      {hint && (
        <Text slot="description" className="text-sm text-text-3">
          {hint}
        </Text>
      )}
    </AriaSearchField>
  );
}
