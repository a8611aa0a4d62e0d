/** The reading sheet (Aa): every look of prose, shown at once on a sample; also keys and language. */
import { Button, SegmentedControl, Slider, Stack, Switch } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { languageInForce, speak } from "@/i18n";
import {
  DEFAULTS,
  type Face,
  type Paper,
  type Preferences,
  prefer,
  RANGES,
  usePreferences,
} from "./preferences";
import classes from "./ReadingSheet.module.css";

const PAPERS: readonly Paper[] = ["auto", "light", "dark", "warm", "black"];
const FACES: readonly Face[] = ["hei", "song", "kai"];
const LANGUAGES = ["auto", "zh", "en"] as const;
const SWITCHES = {
  indent: "indent",
  enterSends: "enter",
  followLast: "follow",
  speakSentences: "speak",
  hideCost: "cost",
  hidePictures: "pictures",
} as const satisfies Partial<Record<keyof Preferences, string>>;

export function ReadingSheet() {
  const { t } = useTranslation();
  const chosen = usePreferences();
  const switches = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]; // the keys of a literal
  return (
    <Stack gap="lg">
      <div className={`prose ${classes.sample}`}>
        <p>
          <span className="dialogue">{t("reading.sample")}</span>
        </p>
      </div>
      <Choice
        label={t("reading.paper")}
        value={chosen.paper}
        options={PAPERS.map((value) => ({ value, label: t(`reading.papers.${value}`) }))}
        onChange={(paper) => prefer({ paper })}
      />
      <Choice
        label={t("reading.face")}
        value={chosen.face}
        options={FACES.map((value) => ({ value, label: t(`reading.faces.${value}`) }))}
        onChange={(face) => prefer({ face })}
      />
      <Amount name="size" label={t("reading.size")} usual={17} step={1} />
      <Amount name="line" label={t("reading.line")} usual={1.85} step={0.05} />
      <Amount name="width" label={t("reading.width")} usual={DEFAULTS.width} step={1} />
      <Amount name="gap" label={t("reading.gap")} usual={DEFAULTS.gap} step={0.1} />
      {switches.map((name) => (
        <Switch
          key={name}
          label={t(`reading.${SWITCHES[name]}`)}
          checked={chosen[name]}
          onChange={(event) => prefer({ [name]: event.currentTarget.checked })}
        />
      ))}
      <Choice
        label={t("reading.language")}
        value={chosen.language}
        options={LANGUAGES.map((value) => ({ value, label: t(`reading.languages.${value}`) }))}
        onChange={(language) => {
          prefer({ language });
          void speak(languageInForce());
        }}
      />
      <Button onClick={() => prefer({ ...DEFAULTS, language: chosen.language })}>
        {t("reading.reset")}
      </Button>
    </Stack>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className={classes.choice}>
      <legend>{label}</legend>
      <SegmentedControl
        aria-label={label}
        fullWidth
        value={value}
        data={[...options]}
        onChange={(next) => {
          const found = options.find((one) => one.value === next);
          if (found !== undefined) onChange(found.value);
        }}
      />
    </fieldset>
  );
}

interface AmountProps {
  name: "size" | "line" | "width" | "gap";
  label: string;
  /** What the slider shows while the value is the style sheet's own. */
  usual: number;
  step: number;
}

function Amount({ name, label, usual, step }: AmountProps) {
  const { t } = useTranslation();
  const id = useId();
  const value = usePreferences()[name];
  const [min, max] = RANGES[name];
  const byItself = value === 0 && name !== "gap";
  return (
    <div>
      <div className={classes.amount}>
        <span id={id}>{label}</span>
        <span>{byItself ? t("reading.byItself") : Number(value.toFixed(2))}</span>
      </div>
      <Slider
        thumbProps={{ "aria-labelledby": id }}
        label={null}
        min={min}
        max={max}
        step={step}
        value={byItself ? usual : value}
        onChange={(next) => prefer({ [name]: next })}
      />
    </div>
  );
}
