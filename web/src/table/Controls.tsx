import { AssistTools } from '../advice/AssistTools';
import { HintPanel } from '../advice/HintPanel';
import type { TableHelp } from '../advice/useHelp';
import { useHouse } from '../app/context';
import type { DrawingProps, GameDrawing } from '../games/drawing';
import { PlainChoices } from './PlainChoices';
import { Tray } from './Tray';
import type { GatheringTray } from './useTray';

export interface ControlsProps {
  readonly drawn: DrawingProps;
  readonly drawing: GameDrawing | undefined;
  readonly active: boolean;
  readonly gather: GatheringTray;
  readonly help: TableHelp;
}

/** Over the hand: what can be done beside playing a card, and the helps. */
export function Controls({ drawn, drawing, active, gather, help }: ControlsProps) {
  const { settings } = useHouse();
  const { state, deck } = drawn;
  const Own = drawing?.Controls;
  return (
    <div className="controls">
      <div className="controls-box">
        {(help.hint || help.waiting) && (
          <HintPanel
            hint={help.hint}
            state={state}
            drawing={drawing}
            deck={deck}
            onClose={help.dismiss}
          />
        )}
        {Own && state.info.viewer !== null && <Own {...drawn} />}
        {gather.gathering && (
          <Tray
            gathering={gather.gathering}
            tray={gather.tray}
            state={state}
            deck={deck}
            onConfirm={gather.confirm}
          />
        )}
        {active && !Own && <PlainChoices {...drawn} drawing={drawing} />}
      </div>
      {help.allowed && !state.frame.result && (
        <AssistTools
          hints={settings.hints}
          mayHint={active}
          hinting={help.hint !== null || help.waiting}
          analysing={help.analysing}
          onHint={help.askHint}
          onAnalysis={help.toggleAnalysis}
        />
      )}
    </div>
  );
}
