import { nameAround, stepsFrom } from '../state/seating';
import { type Setup, type Sitter, withSitter } from '../state/setup';
import { t } from '../texts';
import type { GameInfo } from '../wire';

export interface SeatPickerProps {
  readonly game: GameInfo;
  readonly setup: Setup;
  readonly strength: string;
  readonly onChange: (setup: Setup) => void;
}

/** Who sits where: oneself, another person, or any player. */
export function SeatPicker({ game, setup, strength, onChange }: SeatPickerProps) {
  const mine = setup.sitters.indexOf('me');
  return (
    <fieldset className="seats-picker">
      <legend>{t('seats.title')}</legend>
      {setup.sitters.map((sitter, place) => (
        <SeatRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number
          key={place}
          label={labelOf(place)}
          game={game}
          sitter={sitter}
          onChange={(next) => onChange(withSitter(setup, place, next, strength))}
        />
      ))}
      <p className="quiet">{t('seats.hint')}</p>
    </fieldset>
  );

  function labelOf(place: number): string {
    const bottom = Math.max(mine, 0);
    const places = setup.sitters.length;
    if (place === mine) return t('seats.you');
    const name = nameAround(stepsFrom(bottom, place, places), places, mine < 0);
    const partner = game.teams && mine >= 0 && game.teams[place] === game.teams[mine];
    return partner ? t('seats.partner', { name }) : name;
  }
}

interface SeatRowProps {
  readonly label: string;
  readonly game: GameInfo;
  readonly sitter: Sitter;
  readonly onChange: (sitter: Sitter) => void;
}

const TYPED = '…';

function SeatRow({ label, game, sitter, onChange }: SeatRowProps) {
  const known =
    typeof sitter === 'string' || game.players.some((player) => player.name === sitter.player);
  const value = typeof sitter === 'string' ? sitter : known ? `=${sitter.player}` : TYPED;
  return (
    <div className="seat-row">
      <label>
        <span>{label}</span>
        <select value={value} onChange={(event) => choose(event.target.value)}>
          <option value="me">{t('seats.me')}</option>
          <option value="other">{t('seats.other')}</option>
          <optgroup label={t('seats.players')}>
            {game.players.map((player) => (
              <option key={player.name} value={`=${player.name}`}>
                {typeof player.elo === 'number'
                  ? t('seats.rated', { title: player.title, elo: player.elo })
                  : player.title}
              </option>
            ))}
            <option value={TYPED}>{t('seats.typed')}</option>
          </optgroup>
        </select>
      </label>
      {!known && typeof sitter !== 'string' && (
        <label className="typed">
          <span className="only-heard">{t('seats.typed-name', { seat: label })}</span>
          <input
            type="text"
            value={sitter.player}
            placeholder="pimc:worlds=100"
            spellCheck={false}
            autoComplete="off"
            maxLength={200}
            onChange={(event) => onChange({ player: event.target.value })}
          />
        </label>
      )}
    </div>
  );

  function choose(chosen: string): void {
    if (chosen === 'me' || chosen === 'other') onChange(chosen);
    else onChange({ player: chosen === TYPED ? '' : chosen.slice(1) });
  }
}
