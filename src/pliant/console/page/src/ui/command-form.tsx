/** A form for any command of the line protocol, made from its declaration. */

import { useState } from "preact/hooks";
import type { CommandField, CommandInfo } from "../generated";
import { capital, words } from "../core/format";
import { command, mayCommand } from "../core/store";

export function CommandForm({ info }: { info: CommandInfo }) {
  const [tokens, setTokens] = useState<Record<string, string>>({});
  const key = (field: CommandField, token: string) => `${field.name}.${token}`;
  const line = () => {
    const given = info.fields.flatMap((field) =>
      field.tokens.map((token) => tokens[key(field, token)]?.trim() ?? ""),
    );
    return [info.word, ...given].join(" ").trim();
  };
  const complete = info.fields.every(
    (field) => !field.required || field.tokens.every((token) => tokens[key(field, token)]?.trim()),
  );
  return (
    <form
      class="command"
      onSubmit={(event) => {
        event.preventDefault();
        void command(line());
      }}
    >
      <div class="row">
        <b>{info.word}</b>
        <span class="note grow">{info.doc}</span>
        <button class="small" disabled={!mayCommand.value || !complete}>
          Send
        </button>
      </div>
      {info.fields.map((field) => (
        <div class="field two" key={field.name} title={field.doc}>
          <span class="name">
            {capital(words(field.name))} <span class="unit">{field.unit}</span>
          </span>
          <span class="row">
            {field.tokens.map((token) => (
              <Token
                key={token}
                field={field}
                token={token}
                value={tokens[key(field, token)] ?? ""}
                onChange={(value) => setTokens((old) => ({ ...old, [key(field, token)]: value }))}
              />
            ))}
          </span>
        </div>
      ))}
    </form>
  );
}

interface TokenProps {
  field: CommandField;
  token: string;
  value: string;
  onChange: (value: string) => void;
}

function Token({ field, token, value, onChange }: TokenProps) {
  if (field.choices.length > 0) {
    return (
      <select
        aria-label={token}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {!value && <option value="">{token}</option>}
        {field.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      aria-label={token}
      placeholder={token}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
