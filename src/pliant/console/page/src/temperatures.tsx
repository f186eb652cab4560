/** The joint temperatures, with the limit above which to stop. */

import { fixed } from "./core/format";
import { useColumn } from "./core/live";
import { hello } from "./core/store";
import { jointTitle } from "./joints/state";

const LOW = 20;
const HIGH = 80;

export function Temperatures() {
  const now = useColumn("temperature");
  const arm = hello.value?.arm;
  if (!arm) return null;
  const limit = arm.temperature_max;
  const place = (value: number) =>
    (100 * (Math.max(LOW, Math.min(HIGH, value)) - LOW)) / (HIGH - LOW);
  const hot = [...now].flatMap((value, i) => (value > limit ? [arm.joints[i] ?? `${i}`] : []));
  return (
    <div class="temperatures" data-testid="temperatures">
      <div class="pane-bar">
        <span class="soft">Alarm above {limit} °C</span>
        {hot.length > 0 && (
          <span class="pill bad" role="alert">
            over {limit} °C: {hot.map(jointTitle).join(", ")}: stop
          </span>
        )}
      </div>
      <div class="bars">
        <div class="scale">
          {[20, 40, 60, 80].map((mark) => (
            <span key={mark} style={{ bottom: `${place(mark)}%` }}>
              {mark} °C
            </span>
          ))}
        </div>
        <div class="columns">
          <div class="limit" style={{ bottom: `${place(limit)}%` }} />
          {arm.joints.map((name, i) => {
            const value = now[i] ?? NaN;
            const tone = value > limit ? "bad" : value > limit - 10 ? "warn" : "";
            return (
              <div key={name} class={`bar-column ${tone}`}>
                <div class="fill" style={{ height: `${place(value || LOW)}%` }} />
                <span class="reading num">{fixed(value, 1)} °C</span>
              </div>
            );
          })}
        </div>
        <div class="names">
          {arm.joints.map((name) => (
            <span key={name}>{jointTitle(name)}</span>
          ))}
        </div>
      </div>
    </div>
  );
}
