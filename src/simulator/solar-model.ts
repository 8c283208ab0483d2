/** Sun, clouds, outdoor temperature and power of solar panels at 52.1° N, whatever the time zone. */
import { type LocalDay, offsetAt } from './house-day';
import { randomStream, smoothRandom, type RandomStream } from './seeded-random';
import { type Millis, minuteMs } from '../time/units';

const latitude = (52.1 * Math.PI) / 180;
const levelSurface: Surface = { sin: Math.sin(latitude), cos: Math.cos(latitude) };
/** Distance of 5.2° E from the meridian of Central European Time. Used in all zones, so that the sun is highest at midday. */
const degreesWestOfMeridian = 9.8;

/** Sine and cosine of the latitude at which the surface would be horizontal. */
interface Surface {
  readonly sin: number;
  readonly cos: number;
}

/** Solar panels with their inverter. */
export interface Panels {
  readonly peakW: number;
  readonly surface: Surface;
  /** Orientation in radians of hour angle: 0 is south, west is positive. */
  readonly turn: number;
  /** Own use of the inverter. */
  readonly ownUseW: number;
}

/** A surface tilted to the south, in radians. */
export function tiltedSouth(tilt: number): Surface {
  return { sin: Math.sin(latitude - tilt), cos: Math.cos(latitude - tilt) };
}

/** The properties of one day. */
export interface Weather {
  readonly banks: RandomStream;
  readonly gaps: RandomStream;
  readonly sinDeclination: number;
  readonly cosDeclination: number;
  /** Absolute minute (UTC) of true noon. */
  readonly noon: number;
  /** 0 clear … 1 overcast. */
  readonly clouds: number;
  /** °C, mean of the day. */
  readonly temperature: number;
}

export function weatherOf(seed: number, day: LocalDay, timezone: string): Weather {
  const turn = (2 * Math.PI * (day.dayOfYear - 1)) / 365.25;
  const declination = -0.4092 * Math.cos(turn + 0.172);
  // Equation of time, in minutes.
  const b = turn - 1.39;
  const lead = 9.87 * Math.sin(2 * b) - 7.53 * Math.cos(b) - 1.5 * Math.sin(b);
  const offset = standardOffset(timezone, day.start);
  const season = -Math.cos(turn - 0.34);
  const gloom =
    smoothRandom(randomStream(seed, 11), day.number, 2) * 0.6 +
    smoothRandom(randomStream(seed, 12), day.number, 1) * 0.4;
  return {
    banks: randomStream(seed, 14),
    gaps: randomStream(seed, 15),
    sinDeclination: Math.sin(declination),
    cosDeclination: Math.cos(declination),
    noon: day.number * 1440 - offset + 720 + degreesWestOfMeridian * 4 - lead,
    clouds: Math.min(1, Math.max(0, (gloom - 0.5) * 1.9 + 0.52 - 0.12 * season)),
    temperature: 10.3 + 7.4 * season + (smoothRandom(randomStream(seed, 13), day.number, 3) - 0.5) * 11,
  };
}

/** Clouds in a minute, 0 (clear) to 1 (overcast). They vary on cloudy days, and less on clear and overcast days. */
export function cloudCover({ banks, gaps, clouds }: Weather, minute: number): number {
  const broken = (smoothRandom(banks, minute, 47) - 0.5) * 0.9 + (smoothRandom(gaps, minute, 6) - 0.5) * 0.7;
  return Math.min(1, Math.max(0, clouds + broken * (0.25 + 3 * clouds * (1 - clouds))));
}

/** The minutes of sunrise and sunset, rounded to include both. */
export function daylight({
  sinDeclination,
  cosDeclination,
  noon,
}: Weather): readonly [sunrise: number, sunset: number] {
  const half = Math.acos((-Math.tan(latitude) * sinDeclination) / cosDeclination);
  const minutes = (half * 1440) / (2 * Math.PI) + 1;
  return [Math.floor(noon - minutes), Math.ceil(noon + minutes)];
}

/** Position of the sun in the middle of a minute. */
export interface Sun {
  /** Sine of the altitude; not positive at night. */
  readonly height: number;
  readonly hourAngle: number;
  readonly cosHourAngle: number;
  /** Part of its light that the air lets through; 0 at night. */
  readonly beam: number;
}

export function sunAt(weather: Weather, minute: number): Sun {
  const hourAngle = ((minute + 0.5 - weather.noon) * 2 * Math.PI) / 1440;
  const cosHourAngle = Math.cos(hourAngle);
  const height = sunOn(levelSurface, weather, cosHourAngle);
  return { hourAngle, cosHourAngle, height, beam: height > 0 ? Math.exp(-0.22 / (height + 0.04)) : 0 };
}

/**
 * Power of the inverter in whole watts; negative at night.
 * @param cover as from `cloudCover`
 */
export function panelPower(weather: Weather, sun: Sun, panels: Panels, cover: number): number {
  const { height, hourAngle, cosHourAngle, beam } = sun;
  if (height <= 0) return -panels.ownUseW;
  const cosTurned = panels.turn === 0 ? cosHourAngle : Math.cos(hourAngle - panels.turn);
  const incidence = Math.max(0, sunOn(panels.surface, weather, cosTurned));
  const direct = beam * incidence * (1 - 0.97 * cover);
  const scattered = height * (0.08 + 0.16 * cover - 0.12 * cover * cover);
  return Math.round(panels.peakW * (direct + scattered)) - panels.ownUseW;
}

/** Sine of the altitude of the sun over a surface. */
function sunOn(surface: Surface, { sinDeclination, cosDeclination }: Weather, cosHourAngle: number): number {
  return surface.sin * sinDeclination + surface.cos * cosDeclination * cosHourAngle;
}

/** Deviation from the mean temperature of a day at each minute of local time: lowest at night, highest in the afternoon. */
const warmth = Float64Array.from(
  { length: 1440 },
  (_, localMinute) => 3.2 * Math.cos(((localMinute - 900) * 2 * Math.PI) / 1440),
);

/** °C at a minute of local time. */
export function temperatureAt({ temperature }: Weather, localMinute: number): number {
  return temperature + (warmth[localMinute] ?? 0);
}

/** Minutes east of UTC without summer time. */
function standardOffset(timezone: string, at: Millis): number {
  const halfYear = 182 * 1440 * minuteMs;
  return Math.min(offsetAt(at, timezone), offsetAt(at + halfYear, timezone));
}
