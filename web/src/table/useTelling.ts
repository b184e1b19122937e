import { useEffect, useRef } from 'react';
import { useHouse } from '../app/context';
import type { GameDrawing } from '../games/drawing';
import { awaitGesture, play } from '../sound/sound';
import { openingSentence, resultSentences, sentencesSince, turnSentence } from '../state/live';
import { isBusy, type Playback } from '../state/queue';
import type { TableState } from '../state/table';
import { t } from '../texts';
import type { LineState } from '../wire/socket';

interface Heard {
  readonly deal: number;
  readonly number: number;
}

/** Tells and sounds what is shown, when it is shown. */
export function useTelling(
  playback: Playback,
  drawing: GameDrawing | undefined,
  lineState: LineState,
): void {
  const { announce, settings } = useHouse();
  const { shown } = playback;
  const heard = useRef<Heard | null>(null);
  const sound = useRef(settings.sound);
  sound.current = settings.sound;

  useEffect(awaitGesture, []);

  useEffect(() => {
    const before = heard.current;
    const { deal } = shown.info;
    const { number } = shown.frame;
    heard.current = { deal, number };
    if (before?.deal === deal && before.number === number) return;
    const started = before?.deal !== deal;
    const undone = !started && before.number > number;
    const told = started || undone ? [] : sentencesSince(shown, before.number, drawing);
    const opening = started ? [openingSentence(shown)] : undone ? [{ text: t('tell.undone') }] : [];
    const turn = turnSentence(shown);
    announce([...opening, ...told, ...resultSentences(shown), ...(turn ? [turn] : [])]);
    if (sound.current && before && !started && !undone) soundOf(shown);
  }, [shown, drawing, announce]);

  const sweeping = playback.stage === 'sweeping';
  useEffect(() => {
    if (sweeping && sound.current) play('sweep');
  }, [sweeping]);

  const myTurn = turnSentence(shown) !== null && !isBusy(playback);
  useEffect(() => {
    if (myTurn && sound.current) play('turn');
  }, [myTurn]);

  const line = useRef(lineState);
  useEffect(() => {
    if (lineState === 'reconnecting' && line.current === 'open')
      announce([{ text: t('table.reconnecting') }]);
    if (lineState === 'open' && line.current === 'reconnecting')
      announce([{ text: t('table.back') }]);
    line.current = lineState;
  }, [lineState, announce]);
}

function soundOf({ frame, info }: TableState): void {
  if (frame.event?.card) play('card');
  if (!frame.result || info.viewer_place === null) return;
  const mine = frame.result.payoffs[info.viewer ?? -1] ?? 0;
  if (mine > 0) play('win');
  else if (mine < 0) play('lose');
}
