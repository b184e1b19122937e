import { useEffect, useMemo, useState } from 'react';
import { AnalysisPanel } from '../advice/AnalysisPanel';
import { AdviceContext } from '../advice/context';
import { useHelp } from '../advice/useHelp';
import { ValueBadge } from '../advice/ValueBadge';
import { useHouse } from '../app/context';
import { preloadCards } from '../cards';
import { drawingOf } from '../games';
import type { DrawingProps } from '../games/drawing';
import { actionOf, type KeyAction } from '../state/keys';
import { isBusy, mayAct, type Playback } from '../state/queue';
import { deckOf } from '../state/settings';
import type { Speed } from '../state/speed';
import { t } from '../texts';
import type { GameInfo } from '../wire';
import { Controls } from './Controls';
import { Felt } from './Felt';
import { Hand } from './Hand';
import { HistoryPanel } from './HistoryPanel';
import { Menu, type MenuPage } from './Menu';
import { type PanelName, SidePanel } from './Panels';
import { ResultPanel } from './ResultPanel';
import { SheetPanel, standingOf } from './SheetPanel';
import { StatusStrip } from './StatusStrip';
import { TopBar } from './TopBar';
import { useForced } from './useForced';
import { useKeys } from './useKeys';
import type { TableLine } from './useTable';
import { useTelling } from './useTelling';
import { useTray } from './useTray';

export interface TableProps {
  readonly line: TableLine;
  readonly playback: Playback;
  readonly game: GameInfo | undefined;
  readonly speed: Speed;
  readonly token: string;
}

/** The table as a whole. */
export function Table({ line, playback, game, speed, token }: TableProps) {
  const { settings, change, local, notify } = useHouse();
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [menu, setMenu] = useState<MenuPage | null>(null);
  const [peeks, setPeeks] = useState(false);
  const state = playback.shown;
  const { info, frame } = state;
  const drawing = drawingOf(info.game);
  const deck = deckOf(settings, game?.cards ?? frame.hand);
  const active = mayAct(playback) && !line.pending && line.lineState === 'open';
  const busy = isBusy(playback);
  const help = useHelp(line, playback, drawing, active);
  const gather = useTray(state, drawing, active, line.act);
  const drawn = useMemo<DrawingProps>(
    () => ({ state, act: line.act, deck, showCaptured: settings.captured }),
    [state, line.act, deck, settings.captured],
  );

  useTelling(playback, drawing, line.lineState);
  useForced(state, settings.forced && active && !busy && !gather.gathering, line.act);
  useKeys(actionOf, onKey, local.letters);
  useEffect(() => preloadCards(info.game, deck), [info.game, deck]);
  useEffect(() => {
    document.title = t('page.title', { title: game?.title ?? info.game });
  }, [game?.title, info.game]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new card ends the look back
  useEffect(() => setPeeks(false), [frame.number, info.deal]);

  const Panel = drawing?.Panel;
  const result = busy ? null : (frame.result ?? null);

  function togglePanel(name: PanelName): void {
    setPanel((open) => (open === name ? null : name));
  }

  function onCard(card: string, choice: number): void {
    if (gather.gathering) gather.toggle(card);
    else line.act(choice);
  }

  const actions: Readonly<Record<Exclude<KeyAction, object>, () => void>> = {
    undo: () => (frame.can_undo ? line.undo() : notify(t('tool.no-undo'))),
    next: () => (frame.result ? line.next() : notify(t('tool.no-next'))),
    'last-trick': () => setPeeks((on) => !on && state.tricks.length > 0),
    history: () => togglePanel('history'),
    sheet: () => togglePanel('sheet'),
    'game-panel': () => Panel && togglePanel('game'),
    pause: () => line.pause(!playback.paused),
    mute: () => {
      notify(t(settings.sound ? 'tool.muted' : 'tool.unmuted'));
      change({ sound: !settings.sound });
    },
    hint: help.askHint,
    analysis: help.toggleAnalysis,
    help: () => setMenu('help'),
    menu: leave,
    hand: () => document.querySelector<HTMLElement>('.hand [tabindex="0"]')?.focus(),
  };

  /** Whatever lies over the table goes first. */
  function leave(): void {
    if (panel) setPanel(null);
    else if (help.hint) help.dismiss();
    else setMenu('menu');
  }

  function onKey(action: KeyAction): void {
    if (typeof action === 'object') pressChoice(action.choice);
    else actions[action]();
  }

  return (
    <AdviceContext value={help.advice}>
      <div
        className={`table-page ${panel ? 'with-panel' : ''}`}
        data-table={info.id}
        data-game={info.game}
        data-phase={frame.phase}
        data-number={frame.number}
        data-to-act={frame.to_act ?? ''}
        data-over={frame.result ? 'true' : 'false'}
        data-busy={busy ? 'true' : 'false'}
        data-deal={info.deal}
        data-line={line.lineState}
        data-speed={speed}
      >
        <TopBar
          title={game?.title ?? info.game}
          deal={info.deal}
          standing={standingOf(state, game)}
          panel={panel}
          canUndo={frame.can_undo ?? false}
          hasTrick={state.tricks.length > 0}
          hasPanel={Panel !== undefined}
          paused={playback.paused}
          peeks={peeks}
          onMenu={() => setMenu('menu')}
          onUndo={line.undo}
          onPause={() => line.pause(!playback.paused)}
          onPeek={() => setPeeks((on) => !on)}
          onPanel={togglePanel}
        />
        <main id="main" className="table-main" tabIndex={-1}>
          <StatusStrip drawing={drawing} assisted={help.assisted} {...drawn}>
            {help.analysing && !frame.result && (
              <ValueBadge analysis={help.analysis} onOpen={() => togglePanel('analysis')} />
            )}
          </StatusStrip>
          {line.lineState !== 'open' && (
            <p className="line-down" role="status">
              {t('table.reconnecting')}
            </p>
          )}
          {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only saves waiting */}
          <div className="felt-holder" onClick={line.hurry}>
            <Felt
              playback={playback}
              game={game}
              drawing={drawing}
              drawn={drawn}
              connected={line.connected}
              speed={speed}
              peeks={peeks}
            />
          </div>
          {result && (
            <ResultPanel
              key={info.deal}
              state={state}
              result={result}
              game={game}
              deck={deck}
              token={token}
              onNext={line.next}
              onUndo={line.undo}
            />
          )}
          <Controls drawn={drawn} drawing={drawing} active={active} gather={gather} help={help} />
          {info.viewer !== null && (
            <Hand
              state={state}
              deck={deck}
              active={active}
              tray={gather.gathering ? gather.tray : null}
              marks={drawing?.marked?.(state) ?? {}}
              onCard={onCard}
              onConfirm={gather.confirm}
              withBars={help.analysing && !frame.result}
            />
          )}
        </main>
        {panel && (
          <SidePanel name={panel} onClose={() => setPanel(null)}>
            {panel === 'sheet' && <SheetPanel state={state} game={game} />}
            {panel === 'history' && <HistoryPanel state={state} drawing={drawing} deck={deck} />}
            {panel === 'game' && Panel && <Panel {...drawn} />}
            {panel === 'analysis' && (
              <AnalysisPanel state={state} drawing={drawing} analysis={help.analysis} />
            )}
          </SidePanel>
        )}
        {menu && <Menu state={state} token={token} first={menu} onClose={() => setMenu(null)} />}
      </div>
    </AdviceContext>
  );
}

/** Presses the button of the choice with this number, as the page shows them. */
function pressChoice(number: number): void {
  const buttons = document.querySelectorAll<HTMLElement>('.controls button[data-choice]');
  buttons[number]?.click();
}
