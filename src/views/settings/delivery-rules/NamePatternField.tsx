import { useRef } from "react";
import { NAME_TOKENS } from "../../../../contract/delivery-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/texts/delivery-rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { type FieldProps, TextField } from "../../../ui/Field.tsx";
import { exampleName } from "./format-rules.ts";

/** Edits the pattern of file names, with an example of a name that fulfills it. */
export function NamePatternField(props: FieldProps<string>) {
  const input = useRef<HTMLInputElement>(null);
  const insert = (token: string) => {
    const { value } = props;
    const { selectionStart, selectionEnd } = input.current ?? {};
    const start = selectionStart ?? value.length;
    props.onChange(value.slice(0, start) + token + value.slice(selectionEnd ?? start));
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(start + token.length, start + token.length);
    });
  };
  const example = exampleName(props.value);
  return (
    <div>
      <TextField
        {...props}
        ref={input}
        hint={example === null ? t("nameHint") : t("nameExample", { example })}
        placeholder="{project}_{title}_v{version}"
        autoComplete="off"
        spellCheck={false}
        maxLength={LIMITS.name_pattern_characters}
      />
      <div className="mt-2 flex flex-wrap gap-1.5">
        {NAME_TOKENS.map((token) => (
          <Button key={token} size="sm" aria-label={t("insert", { token: `{${token}}` })} onClick={() => insert(`{${token}}`)}>
            {`{${token}}`}
          </Button>
        ))}
      </div>
    </div>
  );
}
