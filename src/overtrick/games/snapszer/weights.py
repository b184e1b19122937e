"""Snapszer: the weights of the strong rulebook, fitted once and frozen.

Leads and answers are weighed in thousandths of a game point: least squares on what each card of a
hand brought in playouts by this rulebook over the worlds of a view, differences within a hand
only. Closing is weighed in thousandths of log odds: whether it brought more than the best choice
without it, cases weighted by the difference. A weight has no meaning by itself: what counts is the
difference of two sums. Above each table stand its axes, the last one along the line. Ranks run
from jack to ace; roles, kinds, ways and bands are those of `weighing`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Table = np.ndarray[Any, np.dtype[np.int64]]


def table(shape: tuple[int, ...], numbers: str) -> Table:
    """The numbers of a text as a table."""
    return np.array(numbers.split(), dtype=np.int64).reshape(shape)


# role, plain or trump, rank led; higher cards of the suit that the other may hold: 0, 1, more
LEAD_HIGHER = table(
    (3, 2, 5, 3),
    """
     -15  -13   54     32  -19  -98     27  -17  -68    -60  -59    0    -35    0    0
       0    0    0     74  -17  -13     24  -17    2    167  -46    0     96    0    0
     202  -82 -262    273  -50 -240    307  -71 -219    138 -154    0     63    0    0
       0    0    0    588 -127 -436    584  -93 -564    275 -233    0    101    0    0
     184  -48 -200    196  -19 -191    149  -83  -60     88  -83    0     19    0    0
     264  -87 -222    281  -12 -229    337  -59 -314    337 -332    0     86    0    0
    """,
)

# role, talon of 2, 4, 6, 8, 10 cards, plain or trump; rank led
LEAD_TALON = table(
    (3, 5, 2, 5),
    """
     -29  -18   16 -146 -282      0   73  147   89  150
      63   19    3   21   -2      0   32  -47  -44  -44
     -53  -65  -38  -54    1      0   49   49   64   47
      22  -19  -37   27   99      0  -32  -33   21  -49
      23   -3   -3   35  149      0  -77 -107   -9   -8
       0    0    0    0    0      0    0    0    0    0
     119   85   22    9   66      0  -16  -49 -135 -101
      83   69    4   -1   11      0   14  -19  -78  -82
    -172  -56   37   16   13      0   47   35   32   48
    -172 -116  -46  -41  -25      0  -20  -39  223  236
       0    0    0    0    0      0    0    0    0    0
     -97  -97  -65   -1  117     40  -25   69    7   51
     -37  -32  -39   14   45     11   32   81  -46  -29
      61   81   61   54   12    -89  -69 -156  -52   98
       9   34   49  -62 -155     -8  102  -30   97  -34
    """,
)

# role, plain or trump, kind; cards of the suit that the other may hold: 0 to 5
LEAD_FOLLOWERS = table(
    (3, 2, 3, 6),
    """
     142   12  -38  -77 -155    0
     181   66   11  -92 -284    0
     303   55  -78 -119 -195    0

     -33   54  -27   59    0    0
     -31   33   -6  124    0    0
     -48   13  -10  142    0    0

     -10  -98  -36   21  -18    0
    -170  -40   22   51  121    0
    -154   -4   30   56  135    0

    -453  -38  101  342    0    0
    -372   54  165  194    0    0
    -321  166  202   54    0    0

       9  -64   -3  -32   17    0
     -75  -31   35   50   25    0
    -132    9   37   56   50    0

    -182 -156   53  242    0    0
    -292  -34  121  210    0    0
    -211  125  154   18    0    0
    """,
)

# role, plain or trump, kind; further cards of the suit in hand: 0, 1, more
LEAD_LENGTH = table(
    (3, 2, 3, 3),
    """
    -120  -25   29    -66  -39  -13    -33  -29   29
     -98   27  124   -131   50  202   -202   40  258
    -236   -1   95    -61  -15   60    -11   -3   77
     -11   53  -90     53   26  -38    133   16  -49
    -134   11   50     -5  -13   22    -21   -7   47
    -229  149   37     53   16  -63    128  -35   -7
    """,
)

# role, plain or trump, kind; band of my points
LEAD_MINE = table(
    (3, 2, 3, 5),
    """
     109   53  -21  -77 -184    100   37   10  -82 -184      5  -32  -28  -53   73
     -59  -33  -11   44  113    -87  -44   15   55  182    -71   19   35  113    0
     140    8  -68  -80 -141   -140  -89  -14   76  149   -186 -156  -57  161  302
      92  117   42  -47 -251     55   62   29  -46  -58     40   58   67  -64    0
      73  -45   60  -49 -111      5   16    3  -37   17     -7   19  -88   61   35
     -76  -72   49   35   21    -41   33  -10  -15   38     46   48  -14    5    0
    """,
)

# role, plain or trump, kind; band of the other's points
LEAD_THEIRS = table(
    (3, 2, 3, 5),
    """
     173  119  119  -72 -458    168  110   65 -176 -287     52   34   31  -78  -74
     -30    3  -11   73   19   -171 -127 -113  105  427   -197 -138  -92  150  373
      60  -44  171  -43 -286     49   31   23  -65  -55     76   52   11  -36  -40
     -66  -50  -12   14   67   -104  -36 -126   72  234    -16   47  -68   58   80
     142  125  105  -81 -363     65  158  157  -67 -309     -7  160  207  -67 -274
      84  -13 -139  -92  118    -45 -161 -254   23  442   -240 -269  -76  284  386
    """,
)

# role, plain or trump, jack, queen or king led; where ace and ten of the suit are (`honours`)
LEAD_UNDER = table(
    (3, 2, 3, 6),
    """
      11 -139 -136   18  -88  -34
      30 -252 -141   20 -141    5
     -50 -225 -150  100  -99  -27

     -65  -65  -65  -65  -65  -65
     -69  -13    3 -126  -76  -67
    -126    6  -18  -73  -76  -98

     142 -574 -559  187 -501   25
     100 -578 -556  223 -381   37
      85 -609 -528  295 -476  112

    -190 -190 -190 -190 -190 -190
    -247 -178 -345  136 -262 -216
    -205 -291 -419  182 -376 -101

     112 -302 -466   33 -302  171
      96 -304 -471   90 -273  160
      97 -390 -370  134 -271  117

    -146 -115 -181 -102  -62 -131
    -117 -128 -234  -82  -15  -73
     -50 -108 -326   -3 -101 -138
    """,
)

# role, kind, further cards of the plain suit in hand: 0, 1, more; higher cards out: 0, 1, more
LEAD_PLAIN = table(
    (3, 3, 3, 3),
    """
       0   63  -20     63 -112  -82    144 -106 -114
    -134   -3  -35    -43  -67  -35     11  -95  -35
     -69  -35  -35    -64  -35  -35     -7  -35  -35
       0   -1 -246    333 -142 -298    439 -167 -283
       0 -132  -35    -11  -74  -35     43  -54  -35
     -46  -35  -35    -38  -35  -35     42  -35  -35
       0   -3 -110    199  -57 -159    351 -119 -210
       7  -31   -9     11  -42   -9     41  -38   -9
     -30   -9   -9    -16   -9   -9     37   -9   -9
    """,
)

# way, plain or trump, rank played; rank led
ANSWER_CARD = table(
    (3, 2, 5, 5),
    """
     151  125   47  108   36
      14   -9  -16  -26  -18
     -43  -45  -99  -74  -44
       1  -59  -89  -54  -45
     -33  -81 -145  -78  -29

       0   32   12 -109   21
       0    0  -13  -69   73
       0    0    0 -240 -135
       0    0    0    0 -355
       0    0    0    0    0

       0    0    0    0    0
       5    0    0    0    0
      20  162    0    0    0
      77  120  191    0    0
     -39  -13  -30  262    0

       0    0    0    0    0
       0    0    0    0    0
       0  -27    0    0    0
       0  -40  108    0    0
       0 -102  -46  108    0

       0    0    0    0    0
       0    0    0    0    0
       0    0    0    0    0
       0    0    0    0    0
       0    0    0    0    0

    -123  -96  -35  -64   40
      14   53   69   92  142
     -56  -29   10   13   91
       7   36   45   88  134
       5  -25  -12   45   88
    """,
)

# way; pair kept: none, plain, trump
ANSWER_PAIR = table(
    (3, 3),
    """
    -624 -367 -286   -264  353  668   -296  241  588
    """,
)

# talon of 2, 4, 6, 8, 10 cards, way; kind led
ANSWER_TALON = table(
    (5, 3, 3),
    """
    -144 -147 -189    106   60    0     38   87  189
     150   46    6    -34  -28    0   -116  -18   -6
    -113 -186 -144     90  112    0     23   74  144
     -57 -117  -92    101  100    0    -45   17   92
     -87 -138  -77    124  125    0    -37   13   77
    """,
)

# band of my points, way; kind led
ANSWER_MINE = table(
    (5, 3, 3),
    """
      68 -116  -75     38  108    0   -102    8   75
     -81 -225 -162    143  184    0    -63   41  162
      23 -154  -85     25   78    0    -48   76   85
    -147  -48 -173     99    0    0     49   48  173
    -110    0    0     81    0    0     29    0    0
    """,
)

# band of the other's points, way; kind led
ANSWER_THEIRS = table(
    (5, 3, 3),
    """
     177  100   95     -3    0    0   -175 -100  -95
      86   -4  -11     42   43    0   -129  -40   11
      96  -28    6      9   52    0   -105  -23   -6
    -150 -241 -162    105   83    0     45  158  162
    -460 -370 -425    233  192    0    226  178  425
    """,
)

# way, plain or trump, kind played; higher cards of its suit out: 0, 1, more
ANSWER_HIGHER = table(
    (3, 2, 3, 3),
    """
     -88   69  123   -237   -9    0   -363    0    0
    -118 -186 -124   -355    0    0      0    0    0
     -23   96  114     68  320    0    179    0    0
     -35   -3   11    -45  112    0    -40    0    0
       0    0    0      0    0    0      0    0    0
     110   23  -12    134  176    0    102    0    0
    """,
)

# way, plain or trump, kind played; further cards of its suit in hand: 0, 1, more
ANSWER_LENGTH = table(
    (3, 2, 3, 3),
    """
      84    5   15   -111 -125   -8   -217 -161   11
    -229  -93 -107    -34 -162 -159      0    0    0
      73   18   96     69  103  216    -59   14  224
     -84  -72  129   -111   -9  187   -151 -126  238
       0    0    0      0    0    0      0    0    0
     121   44  -45     83   63  164    -39  -20  160
    """,
)

# talon of 2, 4, 6, 8, 10 cards
CLOSE_TALON = table((5,), "-1493 -1493 -807 -659 -251")

# band of the other's points
CLOSE_THEIRS = table((5,), "-1763 -932 -1064 -15 564")

# plain or trump; pairs in hand
CLOSE_PAIR = table(
    (2, 3),
    """
       0 2379 3890      0 6041    0
    """,
)

# trumps in hand
CLOSE_TRUMPS = table((6,), "-1771 -305 111 -1245 0 0")

# trumps that the other may hold
CLOSE_TRUMPS_OUT = table((6,), "145 345 -317 -1320 -2063 0")

# plain or trump, rank held; higher cards of its suit out: 0, 1, more
CLOSE_CARD = table(
    (2, 5, 3),
    """
    -837 -665 -1669   -808 -1431 -2197   -1076 -1540 -2398    797 -1157    0    749    0    0
       0    0    0   -1050 -693 -1395   -733 -755 -1548    959 -170    0   1566    0    0
    """,
)

# plain master, other than an ace or an ace; cards of its suit that the other may hold
CLOSE_MASTER = table(
    (2, 6),
    """
    -289 -391 -551 -691    0    0   -176  393  553  161 -182 -182
    """,
)

CLOSE_POINT = 153  # for each of my points
CLOSE_NO_TRICK = -305  # the other has no trick yet
